/** An engine that dies in the middle of an answer. */
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';

/**
 * Makes each request of `agent` fail when its answer breaks off. docker-modem (5.0) waits for the end of an answer and
 * hears of nothing else, so that a request such as `wait`, which gets its headers at once, would never settle.
 */
export function failingOnBrokenAnswers<A extends Agent>(agent: A): A {
  // Not in Node's documentation, but what every agent of the ecosystem builds on; each request passes here once.
  const addRequest: unknown = Reflect.get(agent, 'addRequest');
  if (typeof addRequest !== 'function') return agent;
  Reflect.set(agent, 'addRequest', (request: ClientRequest, ...rest: unknown[]): void => {
    request.once('response', (answer) => failWhenBroken(request, answer));
    Reflect.apply(addRequest, agent, [request, ...rest]);
  });
  return agent;
}

function failWhenBroken(request: ClientRequest, answer: IncomingMessage): void {
  answer.once('close', () => {
    if (answer.complete) return;
    const error = Object.assign(new Error('the answer broke off: socket hang up'), { code: 'ECONNRESET' });
    if (request.listenerCount('error') > 0) request.emit('error', error);
  });
}
