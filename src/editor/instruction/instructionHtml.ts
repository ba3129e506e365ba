/** The instruction panel's page. Pure: everything that comes from a task is escaped or was rendered safely. */
import type { Task } from '../../task/task.ts';
import { joined } from '../../wording/joinWords.ts';
import type { Translate } from '../../wording/translate.ts';
import { effectiveLimits } from '../../task/config/taskConfig.ts';

export interface InstructionPage {
  readonly task: Task;
  /** Host path of the workspace; the panel is restored from it. */
  readonly folder: string;
  /** The instruction, rendered; undefined when the task has none. */
  readonly markdown: string | undefined;
  readonly cspSource: string;
  readonly nonce: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  readonly remoteImages: boolean;
  readonly language: string;
  readonly t: Translate;
}

export function instructionHtml(page: InstructionPage): string {
  const { task, t, nonce, cspSource } = page;
  const images = page.remoteImages ? 'data: https:' : 'data:';
  const policy = `default-src 'none'; img-src ${images}; style-src ${cspSource}; script-src 'nonce-${nonce}';`;
  return `<!DOCTYPE html>
<html lang="${escape(page.language)}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(task.id)}</title>
<link rel="stylesheet" href="${escape(page.styleUri)}">
</head>
<body data-folder="${escape(page.folder)}">
<header>
<p id="status" role="status" data-tone="plain"></p>
<div class="actions" role="toolbar" aria-label="${escape(t('Task commands'))}">
${button('verify', t('Verify'), 'primary')}
${button('cancel', t('Cancel'), 'secondary', true)}
${button('openSolution', t('Open Solution'), 'secondary')}
${button('compare', t('Compare with Starter'), 'secondary')}
${button('reset', t('Reset'), 'secondary')}
${button('showTestScript', t('Show Test Script'), 'secondary')}
</div>
</header>
${problemsSection(task, t)}
<main>
${page.markdown ?? `<p class="empty">${escape(t('This task has no instruction.md.'))}</p>`}
</main>
<section aria-labelledby="facts">
<h2 id="facts">${escape(t('About this task'))}</h2>
<dl>
${taskFacts(task, t)
  .map(({ name, html }) => `<div><dt>${escape(name)}</dt><dd>${html}</dd></div>`)
  .join('\n')}
</dl>
</section>
<script nonce="${nonce}" src="${escape(page.scriptUri)}"></script>
</body>
</html>
`;
}

function button(action: string, label: string, look: 'primary' | 'secondary', hidden = false): string {
  return `<button type="button" class="${look}" data-action="${action}"${hidden ? ' hidden' : ''}>${escape(label)}</button>`;
}

function problemsSection(task: Task, t: Translate): string {
  if (task.problems.length === 0) return '';
  const items = task.problems.map(({ severity, file, line, message }) => {
    const where = line === undefined ? file : `${file}:${line}`;
    const word = severity === 'blocking' ? t('Cannot be verified') : t('Warning');
    return `<li class="${severity}"><strong>${escape(word)}</strong> <code>${escape(where)}</code> ${escape(message)}</li>`;
  });
  return `<section class="problems" aria-label="${escape(t('Problems of this task'))}"><ul>\n${items.join('\n')}\n</ul></section>`;
}

interface Fact {
  readonly name: string;
  readonly html: string;
}

function taskFacts(task: Task, t: Translate): readonly Fact[] {
  const { config, family, dockerfile } = task;
  const { environment, verifier } = config;
  const { cpus, memoryMb } = effectiveLimits(config);
  const fact = (name: string, text: string): Fact => ({ name, html: escape(text) });
  const image = environment.dockerImage ?? dockerfile?.baseImage;
  const network = verifier.networkMode ?? environment.networkMode;
  const files = family.solution.map(
    ({ path }) =>
      `<button type="button" class="file" data-path="${escape(path)}" title="${escape(t('Open {0}', path))}">${escape(path)}</button>`,
  );
  return [
    { name: t('Files to edit'), html: files.length === 0 ? escape(t('none are shipped')) : files.join(' ') },
    fact(t('Family'), joined([family.name, family.shape], ' ')),
    fact(
      t('Image'),
      image === undefined
        ? t('none named')
        : environment.dockerImage === null
          ? t('built from {0}', image)
          : image,
    ),
    fact(t('Limits'), t('{0} CPU, {1} MiB of memory', cpus, memoryMb)),
    fact(
      t('Time limits'),
      t('verifier {0} s, image build {1} s', verifier.timeoutSec, environment.buildTimeoutSec),
    ),
    fact(t('Network'), network === 'no-network' ? t('off') : t('asks for {0}', network)),
    fact(t('Files'), t('{0} in the task', task.files.size)),
  ];
}

/** Text for HTML, also inside double quotes. */
function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
