import assert from 'node:assert/strict';
import {
  imageDataUri,
  type MarkdownOptions,
  renderMarkdown,
} from '../../../../src/editor/instruction/safeMarkdown.ts';

const PNG = 'data:image/png;base64,iVBORw==';

function render(text: string, options: Partial<MarkdownOptions> = {}): string {
  return renderMarkdown(text, {
    remoteImages: false,
    imageOf: (path) => (path === 'pictures/a.png' ? PNG : undefined),
    blockedImage: (alt) => `[${alt}]`,
    ...options,
  });
}

describe('the instruction as HTML', () => {
  it('renders headings, lists, tables and code', () => {
    const html = render('# Title\n\n- one\n\n|a|b|\n|-|-|\n|1|2|\n\n```python\nx = "<"\n```\n');
    for (const part of ['<h1>Title</h1>', '<li>one</li>', '<td>2</td>', 'x = &quot;&lt;&quot;'])
      assert.ok(html.includes(part), html);
  });

  it('shows HTML as text', () => {
    const html = render(
      '<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\ntext <b onclick="x()">b</b>\n\n<style>*{display:none}</style>\n\n<iframe src="https://e.example"></iframe>\n\n<!-- --><form action="x">',
    );
    assert.doesNotMatch(html, /<(script|img|b|style|iframe|form|!--)/i);
    assert.ok(html.includes('&lt;script&gt;'));
  });

  it('keeps links to the web and to mail', () => {
    const html = render('[a](https://a.example/?q=1&r=2) [b](mailto:b@b.example) <http://c.example>');
    assert.ok(html.includes('href="https://a.example/?q=1&amp;r=2"'), html);
    assert.ok(html.includes('href="mailto:b@b.example"'), html);
    assert.ok(html.includes('href="http://c.example"'), html);
  });

  const HOSTILE = [
    '[x](command:workbench.action.terminal.new)',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](java&#x09;script:alert(1))',
    '[x](java&Tab;script:alert(1))',
    '[x](<java\tscript:alert(1)>)',
    '[x](<\u0001javascript:alert(1)>)',
    '[x](vscode://file/etc/passwd)',
    '[x](vscode-insiders://x)',
    '[x](file:///etc/passwd)',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](vbscript:msgbox)',
    '[x](//evil.example/x)',
    '[x](../tests/test.sh)',
    '[x](#y)',
    '[x][y]\n\n[y]: command:x',
    '<command:x>',
    '<javascript:alert(1)>',
    '[x](https:evil)',
    '[x](\\\\server\\share)',
  ];
  for (const text of HOSTILE)
    it(`makes no link of ${JSON.stringify(text)}`, () => {
      assert.doesNotMatch(render(text), /<a\b|href=/i);
    });

  it('closes exactly the links that it opens', () => {
    assert.equal(
      render('[a](x) [b](https://b.example) [c](y)').trim(),
      '<p>a <a href="https://b.example" title="https://b.example">b</a> c</p>',
    );
  });

  it('cannot be left through a title or an alternative text', () => {
    const html = render(
      '[a](https://a.example "\\"><script>x</script>") ![\\"><script>](https://i.example/x.png)',
      {
        remoteImages: true,
      },
    );
    assert.doesNotMatch(html, /<script/);
  });

  it('shows images of the task, and remote ones only when allowed', () => {
    assert.ok(render('![pic](pictures/a.png)').includes(`<img src="${PNG}" alt="pic">`));
    assert.ok(render('![pic](./pictures/a.png?raw=1)').includes('<img '));
    assert.ok(render('![pic](pictures/none.png)').includes('[pic]'));
    assert.doesNotMatch(render('![pic](https://i.example/x.png)'), /<img/);
    assert.match(render('![pic](https://i.example/x.png)', { remoteImages: true }), /<img src="https:/);
    assert.doesNotMatch(render('![pic](http://i.example/x.png)', { remoteImages: true }), /<img/);
    for (const source of ['data:image/svg+xml,<svg/>', 'file:///etc/x.png', '//i.example/x.png', 'command:x'])
      assert.doesNotMatch(render(`![pic](${source})`, { remoteImages: true }), /<img/);
  });

  it('makes data URIs only of pictures that hold no script', () => {
    assert.equal(imageDataUri('a/B.PNG', Buffer.from([1])), 'data:image/png;base64,AQ==');
    assert.equal(imageDataUri('a.svg', Buffer.from('<svg/>')), undefined);
    assert.equal(imageDataUri('a.html', Buffer.from('x')), undefined);
    assert.equal(imageDataUri('a.png', Buffer.alloc(2 * 1024 * 1024)), undefined);
  });
});
