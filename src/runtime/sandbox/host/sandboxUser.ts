/** Users inside the sandbox. There is one at a time, mapped onto the one uid that the run has on the host. */

export interface SandboxUser {
  /** Undefined for a number without an entry. */
  readonly name: string | undefined;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

export type UserLookup =
  | { readonly kind: 'found'; readonly user: SandboxUser }
  | { readonly kind: 'missing'; readonly message: string };

/** Ids of Debian's base-passwd, which Docker's official images share. */
const ENTRIES: readonly (SandboxUser & { readonly name: string })[] = [
  { name: 'root', uid: 0, gid: 0, home: '/root' },
  { name: 'daemon', uid: 1, gid: 1, home: '/usr/sbin' },
  { name: 'bin', uid: 2, gid: 2, home: '/bin' },
  { name: 'sys', uid: 3, gid: 3, home: '/dev' },
  { name: 'games', uid: 5, gid: 60, home: '/usr/games' },
  { name: 'man', uid: 6, gid: 12, home: '/var/cache/man' },
  { name: 'mail', uid: 8, gid: 8, home: '/var/mail' },
  { name: 'www-data', uid: 33, gid: 33, home: '/var/www' },
  { name: 'nobody', uid: 65534, gid: 65534, home: '/nonexistent' },
];
const GROUP_NAMES: Readonly<Record<string, number>> = { nogroup: 65534, users: 100, staff: 50, tty: 5 };
const FIRST_CREATED_ID = 1000;
const CREATES_USER = /\b(?:useradd|adduser)\b/;
const LARGEST_ID = 65_534;

/**
 * Finds the user that a step asks for: `name`, `uid`, either with `:group`. Undefined means root.
 * @param buildLines lines of the Dockerfile that were not executed; a user that one of them would have
 *   created exists here too.
 */
export function findUser(spec: string | undefined, buildLines: readonly string[]): UserLookup {
  const [wanted = '', wantedGroup] = (spec === undefined || spec === '' ? 'root' : spec).split(':', 2);
  const entry = userEntry(wanted, buildLines);
  if (entry === undefined)
    return { kind: 'missing', message: `There is no user "${wanted}" in the sandbox.` };
  if (wantedGroup === undefined || wantedGroup === '') return { kind: 'found', user: entry };
  const gid = groupId(wantedGroup, entry);
  if (gid === undefined) {
    return { kind: 'missing', message: `There is no group "${wantedGroup}" in the sandbox.` };
  }
  return { kind: 'found', user: { ...entry, gid } };
}

/** `/etc/passwd` as a step of this user sees it. */
export function passwdText(user: SandboxUser): string {
  return entriesWith(user)
    .map(({ name, uid, gid, home }) => `${name}:x:${uid}:${gid}:${name}:${home}:/bin/bash\n`)
    .join('');
}

/** `/etc/group` as a step of this user sees it. */
export function groupText(user: SandboxUser): string {
  const groups = new Map(Object.entries(GROUP_NAMES));
  for (const { name, gid } of entriesWith(user))
    if (![...groups.values()].includes(gid)) groups.set(name, gid);
  return [...groups].map(([name, gid]) => `${name}:x:${gid}:\n`).join('');
}

function userEntry(wanted: string, buildLines: readonly string[]): SandboxUser | undefined {
  if (/^\d+$/.test(wanted)) {
    const uid = Number(wanted);
    if (uid > LARGEST_ID) return undefined;
    return ENTRIES.find((entry) => entry.uid === uid) ?? { name: undefined, uid, gid: 0, home: '/' };
  }
  const known = ENTRIES.find((entry) => entry.name === wanted);
  if (known !== undefined) return known;
  const created = buildLines.some(
    (line) => CREATES_USER.test(line) && line.split(/[\s;&|]+/).includes(wanted),
  );
  return created && /^[a-z_][a-z0-9_-]*$/i.test(wanted)
    ? { name: wanted, uid: FIRST_CREATED_ID, gid: FIRST_CREATED_ID, home: `/home/${wanted}` }
    : undefined;
}

function groupId(wanted: string, user: SandboxUser): number | undefined {
  if (/^\d+$/.test(wanted)) return Number(wanted) <= LARGEST_ID ? Number(wanted) : undefined;
  if (wanted === user.name) return user.gid;
  return GROUP_NAMES[wanted] ?? ENTRIES.find((entry) => entry.name === wanted)?.gid;
}

function entriesWith(user: SandboxUser): readonly (SandboxUser & { readonly name: string })[] {
  const { name } = user;
  if (name === undefined || ENTRIES.some((entry) => entry.name === name)) return ENTRIES;
  return [...ENTRIES, { ...user, name }];
}
