/** The root of a run before a task's own files come: the folders and settings that every image has. */
import type { ConfinedRoot } from './confinedRoot.ts';
import type { HostView } from '../jail/hostView.ts';
import { SANDBOX_HOSTNAME } from '../jail/bwrapArguments.ts';

const DIRECTORIES: readonly (readonly [string, number])[] = [
  ...['/usr', '/usr/local', '/usr/local/bin', '/etc', '/home', '/opt', '/srv', '/mnt', '/media'].map(
    (path): readonly [string, number] => [path, 0o755],
  ),
  ['/run', 0o755],
  ['/var', 0o755],
  ['/root', 0o700],
  ['/tmp', 0o1777],
  ['/var/tmp', 0o1777],
];
const SETTINGS: Readonly<Record<string, string>> = {
  '/etc/hostname': `${SANDBOX_HOSTNAME}\n`,
  '/etc/hosts': `127.0.0.1\tlocalhost ${SANDBOX_HOSTNAME}\n::1\tlocalhost\n`,
  '/etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
  '/etc/resolv.conf': '',
};

/** Fills a fresh root. */
export async function writeBaseFiles(root: ConfinedRoot, view: HostView): Promise<void> {
  for (const [directory, mode] of DIRECTORIES) await root.makeDirectory(directory, mode);
  for (const [file, text] of Object.entries(SETTINGS)) await root.writeFile(file, Buffer.from(text), 0o644);
  for (const entry of view.entries) {
    if (entry.kind === 'link') await root.link(entry.target, entry.path);
    else await root.writeFile(entry.path, Buffer.from(entry.text), 0o755);
  }
}
