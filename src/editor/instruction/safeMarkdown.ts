/** Renders a task's instruction. The text is not trusted: no HTML of its own, no links but to the web, no images unless allowed. */
import MarkdownIt from 'markdown-it';

export interface MarkdownOptions {
  /** Whether images may be loaded from the web. */
  readonly remoteImages: boolean;
  /** The data URI of an image that the task ships; undefined when it has none of that name, or none that is safe. */
  readonly imageOf: (path: string) => string | undefined;
  /** The text in place of an image that is not shown. */
  readonly blockedImage: (alt: string) => string;
}

/** HTML that holds no script, no style, no form, and links only to http, https and mailto. */
export function renderMarkdown(text: string, options: MarkdownOptions): string {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
  markdown.validateLink = (link) => schemeOf(link) === undefined || isWebLink(link);
  const { utils } = markdown;
  const { rules } = markdown.renderer;
  const kept: boolean[] = [];
  rules.link_open = (tokens, index) => {
    const href = String(tokens[index]?.attrGet('href') ?? '');
    const keep = isWebLink(href);
    kept.push(keep);
    if (!keep) return '';
    return `<a href="${utils.escapeHtml(href)}" title="${utils.escapeHtml(href)}">`;
  };
  rules.link_close = () => (kept.pop() === true ? '</a>' : '');
  rules.image = (tokens, index) => {
    const token = tokens[index];
    const source = String(token?.attrGet('src') ?? '');
    const alt = token?.content ?? '';
    const shown = imageSource(source, options);
    if (shown === undefined)
      return `<span class="blocked-image">${utils.escapeHtml(options.blockedImage(alt))}</span>`;
    return `<img src="${utils.escapeHtml(shown)}" alt="${utils.escapeHtml(alt)}">`;
  };
  return markdown.render(text);
}

function imageSource(source: string, options: MarkdownOptions): string | undefined {
  if (/^https:\/\//i.test(source)) return options.remoteImages ? source : undefined;
  if (schemeOf(source) !== undefined || source.startsWith('//')) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(source);
  } catch {
    return undefined;
  }
  return options.imageOf(path.replace(/^(\.\/)+/, '').replace(/[?#].*$/, ''));
}

/** Browsers drop blanks and control characters from addresses before they look for a scheme; so do we. */
function schemeOf(link: string): string | undefined {
  const plain = link.replace(/[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028\u2029\ufeff]/g, '');
  return /^([a-z][a-z0-9+.-]*):/i.exec(plain)?.[1]?.toLowerCase();
}

function isWebLink(link: string): boolean {
  return /^(https?:\/\/|mailto:)/i.test(link);
}

/** Kinds of image that can hold no script when shown by `<img>`. */
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};
const MOST_IMAGE_BYTES = 1024 * 1024;

/** An image of the task as a data URI. */
export function imageDataUri(path: string, bytes: Uint8Array): string | undefined {
  const type = IMAGE_TYPES[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''];
  if (type === undefined || bytes.length > MOST_IMAGE_BYTES) return undefined;
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}
