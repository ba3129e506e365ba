// The plain values of the `vscode` API, as far as our code makes them.

export class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => unknown>();

  readonly event = (listener: (value: T) => unknown): { dispose(): void } => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export class Uri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;

  private constructor(scheme: string, authority: string, path: string) {
    this.scheme = scheme;
    this.authority = authority;
    this.path = path;
  }

  static file(path: string): Uri {
    return new Uri('file', '', path);
  }

  static from(parts: { scheme: string; authority?: string; path?: string }): Uri {
    return new Uri(parts.scheme, parts.authority ?? '', parts.path ?? '');
  }

  get fsPath(): string {
    return this.path;
  }

  toString(): string {
    return `${this.scheme}://${this.authority}${this.path}`;
  }
}

export class Position {
  readonly line: number;
  readonly character: number;

  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(startLine: number, startCharacter: number, endLine: number, endCharacter: number) {
    this.start = new Position(startLine, startCharacter);
    this.end = new Position(endLine, endCharacter);
  }
}

export class Location {
  readonly uri: Uri;
  readonly range: Range;

  constructor(uri: Uri, at: Range | Position) {
    this.uri = uri;
    this.range = at instanceof Range ? at : new Range(at.line, at.character, at.line, at.character);
  }
}

export class ThemeColor {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeIcon {
  readonly id: string;
  readonly color: ThemeColor | undefined;

  constructor(id: string, color?: ThemeColor) {
    this.id = id;
    this.color = color;
  }
}

export class TreeItem {
  label: string;
  collapsibleState: number;

  constructor(label: string, collapsibleState = 0) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}

export class Diagnostic {
  range: Range;
  message: string;
  severity: number;

  constructor(range: Range, message: string, severity: number) {
    this.range = range;
    this.message = message;
    this.severity = severity;
  }
}

export class DiagnosticRelatedInformation {
  readonly location: Location;
  readonly message: string;

  constructor(location: Location, message: string) {
    this.location = location;
    this.message = message;
  }
}

export class TestMessage {
  readonly message: string;
  expectedOutput: string | undefined;
  actualOutput: string | undefined;
  location: Location | undefined;

  constructor(message: string) {
    this.message = message;
  }

  static diff(message: string, expected: string, actual: string): TestMessage {
    const made = new TestMessage(message);
    made.expectedOutput = expected;
    made.actualOutput = actual;
    return made;
  }
}

export class TestTag {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class TestRunRequest {
  readonly include: readonly unknown[] | undefined;
  readonly exclude: readonly unknown[] | undefined;

  constructor(include?: readonly unknown[], exclude?: readonly unknown[]) {
    this.include = include;
    this.exclude = exclude;
  }
}
