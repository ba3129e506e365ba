import assert from 'node:assert/strict';
import { networkError } from '../../../../src/dataset/hub/networkErrors.ts';
import { remedyText } from '../../../host/remedyText.ts';

describe('an error of the network', () => {
  const from = (code: string): Error =>
    new TypeError('fetch failed', { cause: Object.assign(new Error('inner'), { code }) });

  for (const [code, says] of [
    ['ENOTFOUND', 'hub.example cannot be found from this machine: there is no network, or no name server.'],
    ['EHOSTUNREACH', 'There is no way to hub.example from this machine.'],
    ['UND_ERR_HEADERS_TIMEOUT', 'hub.example did not answer in time.'],
    ['ECONNRESET', 'The connection to hub.example was cut.'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'The connection to hub.example is not trusted: SELF_SIGNED_CERT_IN_CHAIN.'],
  ] as const)
    it(`says what ${code} means`, () => {
      assert.equal(networkError(from(code), 'hub.example', undefined).message, says);
    });

  it('says what to do about a proxy', () => {
    assert.match(
      remedyText(networkError(from('ENOTFOUND'), 'hub.example', 'HTTPS_PROXY').remedies),
      /HTTPS_PROXY is used only with NODE_USE_ENV_PROXY=1/,
    );
    assert.match(
      remedyText(networkError(from('CERT_HAS_EXPIRED'), 'hub.example', undefined).remedies),
      /NODE_EXTRA_CA_CERTS/,
    );
  });
});
