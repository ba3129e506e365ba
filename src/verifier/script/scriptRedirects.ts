/** Gives a redirection of a group, loop or `if` to every command in it that has none of its own. */
import type { Leaf, Redirect, Statement } from './script.ts';
import { heredocOf, type Nodes, redirectOf } from './scriptWords.ts';

export function withRedirects(statements: readonly Statement[], nodes: Nodes): Statement[] {
  const redirects = nodes.flatMap(redirectOf).map((one) => ({ ...one, inherited: true as const }));
  const heredocs = nodes.flatMap(heredocOf);
  if (redirects.length === 0 && heredocs.length === 0) return [...statements];
  const output = redirects.filter(({ operator }) => operator.includes('>'));
  const input = redirects.filter(({ operator }) => operator.startsWith('<'));

  const leaf = <L extends Leaf>(one: L): L => {
    const inherited = [...(writesElsewhere(one) ? [] : output), ...(readsInput(one) ? input : [])];
    return {
      ...one,
      redirects: [...one.redirects, ...inherited],
      heredocs: readsInput(one) ? [...one.heredocs, ...heredocs] : one.heredocs,
    };
  };
  const all = (list: readonly Statement[]): Statement[] => list.map(visit);
  const visit = (statement: Statement): Statement => {
    switch (statement.kind) {
      case 'command':
      case 'test':
      case 'assign':
        return leaf(statement);
      case 'list':
        return { ...statement, left: visit(statement.left), right: visit(statement.right) };
      case 'not':
        return { ...statement, body: visit(statement.body) };
      case 'pipeline': {
        const last = statement.members.length - 1;
        return {
          ...statement,
          members: statement.members.map((member, at) => (at === last ? visit(member) : member)),
        };
      }
      case 'group':
      case 'background':
        return { ...statement, body: all(statement.body) };
      case 'if':
        return {
          ...statement,
          condition: all(statement.condition),
          then: all(statement.then),
          otherwise: all(statement.otherwise),
        };
      case 'loop':
        return { ...statement, condition: all(statement.condition), body: all(statement.body) };
      case 'case':
        return { ...statement, items: statement.items.map(all) };
      case 'function':
        return statement;
    }
  };
  return all(statements);
}

function writesElsewhere(leaf: Leaf): boolean {
  return leaf.kind !== 'command' || leaf.redirects.some(({ operator }: Redirect) => operator.includes('>'));
}

/** Whether a leaf reads standard input: in a loop only `read` does. */
function readsInput(leaf: Leaf): boolean {
  return leaf.kind === 'command' && leaf.words[0]?.text === 'read';
}
