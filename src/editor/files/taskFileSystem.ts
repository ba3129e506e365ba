/** The task as shipped, read-only, under `repair-bench:`. A file that was not revealed reads as a note that says so. */
import type * as vscode from 'vscode';
import type { OpenTask } from '../task/openTask.ts';
import type { OpenTasks } from '../task/openTasks.ts';
import { hiddenText, spoilerOf } from './spoilers.ts';
import {
  STARTER_BYTES_FOLDER,
  STARTER_FOLDER,
  TASK_SCHEME,
  taskAddress,
  taskUriParts,
} from '../task/taskUri.ts';
import { readableText } from '../platform/text/textEncoding.ts';

/** The workbench asks again for a file whose time has changed: revealing a file moves it from 1 to 2. */
const HIDDEN_TIME = 1;
const SHOWN_TIME = 2;

export class TaskFileSystem implements vscode.FileSystemProvider {
  readonly #api: typeof vscode;
  readonly #tasks: OpenTasks;
  readonly #changed: vscode.EventEmitter<vscode.FileChangeEvent[]>;
  readonly onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]>;

  constructor(api: typeof vscode, tasks: OpenTasks) {
    this.#api = api;
    this.#tasks = tasks;
    this.#changed = new api.EventEmitter<vscode.FileChangeEvent[]>();
    this.onDidChangeFile = this.#changed.event;
  }

  /** Makes `repair-bench:` known to the editor. */
  register(): vscode.Disposable {
    const why = new this.#api.MarkdownString(
      this.#api.l10n.t('This is the task as shipped. Edit the solution instead.'),
    );
    return this.#api.workspace.registerFileSystemProvider(TASK_SCHEME, this, {
      isCaseSensitive: true,
      isReadonly: why,
    });
  }

  /** Tells open editors that files of `task` can be read now. */
  revealed(task: OpenTask): void {
    const { Changed } = this.#api.FileChangeType;
    const events = [...task.workspace.task.files.keys()]
      .filter((path) => spoilerOf(path) !== undefined)
      .map((path) => ({
        type: Changed,
        uri: this.#api.Uri.from(taskUriParts(task.folder, task.state.taskId, path)),
      }));
    this.#changed.fire(events);
  }

  watch(): vscode.Disposable {
    // A task as shipped never changes, and `revealed` tells what was revealed.
    return new this.#api.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { task, path } = await this.#resolve(uri);
    const { FileType } = this.#api;
    const file = contentOf(task, path);
    if (file)
      return {
        type: FileType.File,
        ctime: 0,
        mtime: file.hidden ? HIDDEN_TIME : SHOWN_TIME,
        size: file.bytes.length,
      };
    if (path === '' || namesIn(task, path).size > 0)
      return { type: FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    throw this.#api.FileSystemError.FileNotFound(uri);
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    const { task, path } = await this.#resolve(uri);
    const { File, Directory } = this.#api.FileType;
    return [...namesIn(task, path)].map(([name, isFolder]) => [name, isFolder ? Directory : File]);
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { task, path } = await this.#resolve(uri);
    const file = contentOf(task, path);
    if (!file) throw this.#api.FileSystemError.FileNotFound(uri);
    return file.bytes;
  }

  writeFile(uri: vscode.Uri): never {
    throw this.#api.FileSystemError.NoPermissions(uri);
  }

  createDirectory(uri: vscode.Uri): never {
    throw this.#api.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw this.#api.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw this.#api.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #resolve(uri: vscode.Uri): Promise<{ readonly task: OpenTask; readonly path: string }> {
    const address = taskAddress(uri);
    if (!address) throw this.#api.FileSystemError.FileNotFound(uri);
    try {
      return { task: await this.#tasks.load(address.folder), path: address.path };
    } catch {
      // The workspace was moved or deleted since this address was made.
      throw this.#api.FileSystemError.FileNotFound(uri);
    }
  }
}

function contentOf(
  task: OpenTask,
  path: string,
): { readonly bytes: Uint8Array; readonly hidden: boolean } | undefined {
  if (path.startsWith(`${STARTER_FOLDER}/`)) {
    // As UTF-8, so that it compares as text with a solution that is open in its own encoding.
    const starter = starterOf(task, path.slice(STARTER_FOLDER.length));
    return starter && { bytes: Buffer.from(readableText(starter)), hidden: false };
  }
  if (path.startsWith(`${STARTER_BYTES_FOLDER}/`)) {
    const starter = starterOf(task, path.slice(STARTER_BYTES_FOLDER.length));
    return starter && { bytes: starter, hidden: false };
  }
  const file = task.workspace.task.files.get(path);
  if (!file) return undefined;
  const spoiler = spoilerOf(path);
  if (spoiler === undefined || task.isRevealed(spoiler)) return { bytes: file.bytes, hidden: false };
  return { bytes: Buffer.from(hiddenText(path, spoiler)), hidden: true };
}

/** A starter's bytes, none for a file that the task asks for and does not ship; undefined for a file of no solution. */
function starterOf(task: OpenTask, containerPath: string): Uint8Array | undefined {
  const file = task.workspace.task.family.solution.find(({ path }) => path === containerPath);
  return file && (file.starter ?? new Uint8Array());
}

/** Names directly in a folder of the task, and whether each is a folder. */
function namesIn(task: OpenTask, folder: string): ReadonlyMap<string, boolean> {
  const prefix = folder === '' ? '' : `${folder}/`;
  const names = new Map<string, boolean>();
  for (const path of task.workspace.task.files.keys()) {
    if (!path.startsWith(prefix)) continue;
    const [name = '', ...rest] = path.slice(prefix.length).split('/');
    names.set(name, rest.length > 0);
  }
  return names;
}
