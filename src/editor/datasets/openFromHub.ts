/** "Open Dataset from Hugging Face…": asks for a repository, shows its task files, downloads one and opens it. */
import { homedir } from 'node:os';
import type * as vscode from 'vscode';
import { bytesText } from '../../wording/bytesText.ts';
import { joined } from '../../wording/joinWords.ts';
import type { FetchProgress, HubListing } from '../../dataset/hub/hubDatasets.ts';
import type { HubSettings } from '../../dataset/hub/hubSettings.ts';
import type { TaskChoice } from '../../dataset/hub/taskFiles.ts';
import { cancellable, type Report } from '../platform/cancellable.ts';
import { messageOf, type MessageButton, UserFacingError } from '../platform/failureMessage.ts';
import { addDataset, type DatasetContext } from './datasetContext.ts';
import { askForToken, withStoredToken } from './hubToken.ts';
import { plainLabel } from '../platform/text/plainText.ts';

/** `given` is a repository as a person would type it. @throws UserFacingError with the button that helps */
export async function openFromHub(context: DatasetContext, given?: string): Promise<void> {
  const { api, extension } = context;
  const { readHubSettings } = await import('../../dataset/hub/hubSettings.ts');
  const settings = await withStoredToken(extension.secrets, await readHubSettings(process.env, homedir()));
  const text = given ?? (await askForAddress(api, settings));
  if (text === undefined || text.trim() === '') return;
  let location: string | undefined;
  try {
    location = await fetchDataset(api, settings, text);
  } catch (error) {
    throw await withButton(error, context, settings, text);
  }
  if (location !== undefined) await addDataset(context, location);
}

/** Host path of the downloaded dataset; undefined: the person cancelled. */
async function fetchDataset(
  api: typeof vscode,
  settings: HubSettings,
  text: string,
): Promise<string | undefined> {
  const { parseHubAddress } = await import('../../dataset/hub/hubAddress.ts');
  const { fetchChoice, listTaskFiles } = await import('../../dataset/hub/hubDatasets.ts');
  const address = parseHubAddress(text, settings.endpoint);
  const listing = await cancellable(api, api.l10n.t('Looking at {0}…', address.repo), (signal) =>
    listTaskFiles(settings, address, signal),
  );
  const choice = listing && (await choose(api, settings, listing));
  if (!choice) return undefined;
  const fetched = await cancellable(api, api.l10n.t('Downloading {0}', choice.path), (signal, report) =>
    fetchChoice(settings, listing, choice, signal, { onProgress: teller(api, choice, report) }),
  );
  return fetched?.location;
}

async function askForAddress(api: typeof vscode, { endpoint }: HubSettings): Promise<string | undefined> {
  const { l10n, window } = api;
  const { parseHubAddress } = await import('../../dataset/hub/hubAddress.ts');
  return window.showInputBox({
    title: l10n.t('Open Dataset from Hugging Face'),
    prompt: l10n.t('A repository, or the address of its page or of a file'),
    placeHolder: l10n.t('owner/name, owner/name:file or owner/name@revision:file'),
    ignoreFocusOut: true,
    validateInput: (text) => {
      try {
        if (text.trim() !== '') parseHubAddress(text, endpoint);
        return undefined;
      } catch (error) {
        return messageOf(error, l10n.t);
      }
    },
  });
}

/** The only choice, or the one that the person picks. */
async function choose(
  api: typeof vscode,
  settings: HubSettings,
  listing: HubListing,
): Promise<TaskChoice | undefined> {
  const { l10n, window } = api;
  const { cachedChoices } = await import('../../dataset/hub/hubDatasets.ts');
  const [only, ...others] = listing.choices;
  if (others.length === 0) return only;
  const there = await cachedChoices(settings, listing);
  const items = listing.choices.map((choice) => {
    const parts = choice.files.length > 1 ? l10n.t('{0} files', choice.files.length) : '';
    const cached = there.has(choice) ? l10n.t('downloaded') : '';
    return {
      label: plainLabel(choice.path),
      description: joined([bytesText(choice.bytes, l10n.t), parts, cached]),
      choice,
    };
  });
  const picked = await window.showQuickPick(items, {
    title: `${listing.repo} (${listing.revision})`,
    placeHolder:
      listing.from === 'hub'
        ? l10n.t('Which tasks?')
        : l10n.t(
            'Which tasks? Only downloaded ones are listed: the hub is switched off or cannot be reached.',
          ),
    ignoreFocusOut: true,
  });
  return picked?.choice;
}

/** Reports the progress of a download, each percent once. */
function teller(api: typeof vscode, choice: TaskChoice, report: Report): (progress: FetchProgress) => void {
  const { t } = api.l10n;
  let reported = 0;
  return ({ index, received }) => {
    const before = choice.files.slice(0, index).reduce((sum, { bytes }) => sum + bytes, 0);
    const percent = Math.floor(((before + received) / Math.max(choice.bytes, 1)) * 100);
    if (percent <= reported) return;
    report.report({
      increment: percent - reported,
      message: t('{0} of {1}', bytesText(before + received, t), bytesText(choice.bytes, t)),
    });
    reported = percent;
  };
}

async function withButton(
  error: unknown,
  context: DatasetContext,
  settings: HubSettings,
  text: string,
): Promise<unknown> {
  const { HubError, mayNeedToken, mayPass } = await import('../../dataset/hub/hubError.ts');
  const { pageOf, parseHubAddress } = await import('../../dataset/hub/hubAddress.ts');
  if (!(error instanceof HubError)) return error;
  const { api, extension, failures } = context;
  const again = (): Promise<void> => openFromHub(context, text).catch(failures.report);
  const { message, remedies } = error;
  const step = (button?: MessageButton): UserFacingError =>
    new UserFacingError(message, button, { cause: error, remedies });
  if (error.code === 'gated' && settings.token) {
    const page = pageOf(settings.endpoint, parseHubAddress(text, settings.endpoint).repo);
    return step({
      label: api.l10n.t('Open Page'),
      run: () => api.env.openExternal(api.Uri.parse(page, true)),
    });
  }
  if (mayNeedToken(error))
    return step({
      label: api.l10n.t('Enter Token…'),
      run: async () => {
        if (await askForToken(api, extension.secrets, settings.endpoint)) await again();
      },
    });
  return step(mayPass(error) ? { label: api.l10n.t('Try Again'), run: again } : undefined);
}
