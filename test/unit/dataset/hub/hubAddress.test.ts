import assert from 'node:assert/strict';
import { hubPath, parseHubAddress } from '../../../../src/dataset/hub/hubAddress.ts';
import { HubError } from '../../../../src/dataset/hub/hubError.ts';
import { remedyText } from '../../../host/remedyText.ts';

const HUB = 'https://huggingface.co';

describe('the address of a dataset of the hub', () => {
  for (const [text, repo, revision, path] of [
    ['lab/tasks', 'lab/tasks', undefined, undefined],
    ['  datasets/lab/tasks ', 'lab/tasks', undefined, undefined],
    ['lab/tasks:a/tasks.parquet', 'lab/tasks', undefined, 'a/tasks.parquet'],
    ['lab/tasks@v2', 'lab/tasks', 'v2', undefined],
    ['lab/tasks@refs/pr/3:x@1.parquet', 'lab/tasks', 'refs/pr/3', 'x@1.parquet'],
    ['lab/tasks:data/train-*.parquet', 'lab/tasks', undefined, 'data/train-*.parquet'],
    ['hf://datasets/lab/tasks/a/b.parquet', 'lab/tasks', undefined, 'a/b.parquet'],
    ['hf://datasets/lab/tasks@v2/b.parquet', 'lab/tasks', 'v2', 'b.parquet'],
    [`${HUB}/datasets/lab/tasks`, 'lab/tasks', undefined, undefined],
    [`${HUB}/datasets/lab/tasks/`, 'lab/tasks', undefined, undefined],
    [`${HUB}/datasets/lab/tasks/blob/main/x.parquet`, 'lab/tasks', 'main', 'x.parquet'],
    [
      `${HUB}/datasets/lab/tasks/resolve/main/a/x%20y.parquet?download=true`,
      'lab/tasks',
      'main',
      'a/x y.parquet',
    ],
    [`${HUB}/datasets/lab/tasks/tree/main/a`, 'lab/tasks', 'main', 'a'],
    [`${HUB}/datasets/lab/tasks/tree/main`, 'lab/tasks', 'main', undefined],
    [
      `${HUB}/datasets/lab/tasks/blob/refs%2Fconvert%2Fparquet/d/0.parquet`,
      'lab/tasks',
      'refs/convert/parquet',
      'd/0.parquet',
    ],
    [`https://hf.co/datasets/lab/tasks/blob/refs/pr/1/0.parquet`, 'lab/tasks', 'refs/pr/1', '0.parquet'],
  ] as const)
    it(`is read from ${text}`, () => {
      assert.deepEqual(parseHubAddress(text, HUB), { repo, revision, path });
    });

  it('may be of a hub that has a path', () => {
    const mirror = 'https://mirror.example/hub';
    assert.deepEqual(parseHubAddress(`${mirror}/datasets/lab/tasks/blob/main/x.parquet`, mirror), {
      repo: 'lab/tasks',
      revision: 'main',
      path: 'x.parquet',
    });
  });

  for (const [text, code, says] of [
    ['tasks', 'not-an-address', '"tasks" does not name a dataset of the hub.'],
    ['', 'not-an-address', '"" does not name a dataset of the hub.'],
    ['../x', 'not-an-address', '"../x" does not name a dataset of the hub.'],
    ['a/b/c', 'not-an-address', '"a/b/c" does not name a dataset of the hub.'],
    ['C:\\data\\x.parquet', 'not-an-address', 'does not name a dataset of the hub.'],
    ['lab/tasks@a b', 'not-an-address', '"a b" is not a revision.'],
    ['lab/tasks@../../x', 'not-an-address', '"../../x" is not a revision.'],
    ['lab/tasks:../x.parquet', 'unsafe-name', '"../x.parquet" is not the name of a file in a repository.'],
    ['lab/tasks:/etc/x.parquet', 'unsafe-name', '"/etc/x.parquet" is not the name'],
    ['lab/tasks:a\\x.parquet', 'unsafe-name', 'is not the name of a file'],
    [`${HUB}/lab/model`, 'not-an-address', 'is not the page of a dataset'],
    [
      `${HUB}/datasets/lab/tasks/discussions/1`,
      'not-an-address',
      "is neither a dataset's page nor one of its files.",
    ],
    [`${HUB}/datasets/lab/tasks/blob/main/%zz`, 'not-an-address', 'holds a "%" that stands for nothing.'],
    [`${HUB}/datasets/lab/tasks/blob/main/..%2F..%2Fx.parquet`, 'unsafe-name', 'is not the name of a file'],
    [
      'https://other.example/datasets/lab/tasks',
      'not-an-address',
      'other.example is not the hub that is used, which is huggingface.co.',
    ],
  ] as const)
    it(`is not read from ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => parseHubAddress(text, HUB),
        (error: unknown) =>
          error instanceof HubError &&
          error.code === code &&
          error.message.includes(says) &&
          remedyText(error.remedies) !== '',
      );
    });

  it('names no file that could lie elsewhere on any system', () => {
    for (const path of ['a/../../b', '/a', 'C:/a', 'a/D:b', 'a\\..\\b', '..', '.', '', 'a\nb', 'a\0b'])
      assert.equal(hubPath(path), undefined, JSON.stringify(path));
    assert.equal(hubPath('a/b c/ü.parquet'), 'a/b c/ü.parquet');
  });
});
