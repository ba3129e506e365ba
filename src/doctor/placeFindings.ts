/** Free space, folders that must be writable, and the versions of the programs in use. Pure. */
import { byCommand, bySetting, inWords, type Remedy } from '../fault/remedy.ts';
import { bytesText } from '../wording/bytesText.ts';
import { joinWords } from '../wording/joinWords.ts';
import { finding, type Finding } from './finding.ts';
import { clientOf, type PlaceFact, type SetupFacts, usedRuntime } from './setupFacts.ts';

const GB = 1e9;

/** Bytes that must be free; less than that has ended runs in the middle. */
const LEAST_FREE: Readonly<Record<PlaceFact['what'], number>> = {
  engine: 2 * GB,
  workspaces: 0.1 * GB,
  temporary: 0.5 * GB,
  cache: 1 * GB,
};

const PLACE_WORDS: Readonly<Record<PlaceFact['what'], string>> = {
  engine: "the engine's images",
  workspaces: 'workspaces',
  temporary: 'temporary files of runs',
  cache: 'fetched datasets',
};

/** All places but the cache of datasets, which has a finding of its own. */
export function diskFinding(facts: SetupFacts): Finding {
  const places = facts.places.filter(
    ({ what }) => what !== 'cache' && (what !== 'engine' || usedRuntime(facts) === 'docker'),
  );
  const bad = places.filter((place) => isFull(place) || place.writable === false);
  if (bad.length === 0)
    return finding('disk', 'fine', 'There is room for images, runs and workspaces.', {
      details: places.map(placeWords),
    });
  return finding('disk', 'needs-care', bad.map(problemWords).join(' '), {
    details: places.map(placeWords),
    remedies: bad.flatMap((place) => remediesFor(place, facts)),
  });
}

export function cacheFinding(facts: SetupFacts): Finding {
  const place = facts.places.find(({ what }) => what === 'cache');
  if (!place) return finding('cache', 'not-checked', 'No folder for fetched datasets is known.');
  if (isFull(place) || place.writable === false)
    return finding('cache', 'needs-care', problemWords(place), { remedies: remediesFor(place, facts) });
  return finding('cache', 'fine', `Datasets from Hugging Face go to ${place.path}.`, {
    details: [placeWords(place)],
  });
}

export function programFinding({ programs }: SetupFacts): Finding {
  const old = programs.filter(({ version, least }) => isOlder(version, least));
  const names = joinWords(programs.map(({ name, version }) => `${name} ${version}`));
  if (old.length === 0) return finding('program', 'fine', `${names} will do.`);
  return finding(
    'program',
    'needs-care',
    old.map(({ name, version, least }) => `${name} ${version} is older than ${least}.`).join(' '),
    {
      remedies: old.map(({ name, least }) => inWords(`Install ${name} ${least} or later.`)),
    },
  );
}

function isFull({ what, freeBytes }: PlaceFact): boolean {
  return freeBytes !== undefined && freeBytes < LEAST_FREE[what];
}

function placeWords({ what, path, freeBytes }: PlaceFact): string {
  const free =
    freeBytes === undefined ? 'free space cannot be told from here' : `${bytesText(freeBytes)} free`;
  return `${path} (${PLACE_WORDS[what]}): ${free}.`;
}

function problemWords(place: PlaceFact): string {
  const { what, path, freeBytes } = place;
  return place.writable === false
    ? `This user cannot write to ${path}, where ${PLACE_WORDS[what]} go.`
    : `${path} has only ${bytesText(freeBytes ?? 0)} free for ${PLACE_WORDS[what]}; ${bytesText(LEAST_FREE[what])} are wanted.`;
}

function remediesFor(place: PlaceFact, { engine }: SetupFacts): Remedy[] {
  switch (place.what) {
    case 'engine': {
      const client = engine.kind === 'answers' ? clientOf(engine.engine.name) : 'docker';
      return [
        byCommand(
          `${client} system prune`,
          'remove images and containers that nothing uses',
          'It asks first.',
        ),
      ];
    }
    case 'workspaces':
      return [
        bySetting('workspaceFolder', 'choose another folder for workspaces'),
        ...(isFull(place) ? [inWords('Free some space.')] : []),
      ];
    case 'temporary':
      return [inWords('Free some space there, or set TMPDIR to another folder.')];
    case 'cache':
      return [inWords('Free some space there, or set HF_HOME to another folder.')];
  }
}

/** Compares dotted numbers. */
function isOlder(version: string, least: string): boolean {
  const numbers = (text: string): number[] =>
    text.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0);
  const [have, want] = [numbers(version), numbers(least)];
  const at = want.findIndex((number, index) => number !== (have[index] ?? 0));
  return at !== -1 && (have[at] ?? 0) < (want[at] ?? 0);
}
