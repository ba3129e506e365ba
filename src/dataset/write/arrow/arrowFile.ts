/** An Arrow IPC file or stream that is being written, batch after batch, through apache-arrow's writers. */
import { Message, RecordBatch, RecordBatchFileWriter, RecordBatchStreamWriter, Struct } from 'apache-arrow';
import type { Data, Schema } from 'apache-arrow';
import type { FileSink } from '../fileSink.ts';
import { columnData } from './columnData.ts';
import type { ArrowChunk } from './arrowRows.ts';

export class ArrowFile {
  readonly #sink: FileSink;
  readonly #schema: Schema;
  readonly #writer: StreamWriter | FileWriter;

  constructor(sink: FileSink, schema: Schema, framing: 'stream' | 'file') {
    this.#sink = sink;
    this.#schema = schema;
    this.#writer = framing === 'file' ? new FileWriter() : new StreamWriter();
    this.#writer.reset(undefined, schema);
  }

  /** Writes one batch. */
  async write({ rows, columns }: ArrowChunk): Promise<void> {
    const children: Data[] = [...columns];
    const data = columnData(new Struct(this.#schema.fields), rows, { children }) as Data<Struct>;
    this.#writer.write(new RecordBatch(this.#schema, data));
    await this.#drain();
  }

  async finish(): Promise<void> {
    this.#writer.finish();
    await this.#drain();
  }

  async #drain(): Promise<void> {
    for (const piece of this.#writer.taken.splice(0)) await this.#sink.write(piece);
  }
}

/**
 * The bytes of the schema message of an IPC stream, as Parquet files keep it under `ARROW:schema`, so that readers
 * give back the types that Parquet has no names for.
 */
export function schemaMessage(schema: Schema): Uint8Array {
  const writer = new StreamWriter();
  writer.reset(undefined, schema);
  return Buffer.concat(writer.taken);
}

// apache-arrow's own queue between writer and file has no end: what is written is taken before it gets there.
class StreamWriter extends RecordBatchStreamWriter {
  readonly taken: Uint8Array[] = [];
  protected override _write(chunk: ArrayBufferView): this {
    this._position += take(chunk, this._started, this.taken);
    return this;
  }
}

class FileWriter extends RecordBatchFileWriter {
  readonly taken: Uint8Array[] = [];
  /** apache-arrow leaves out the schema, which readers that do not start at the end of the file look for. */
  protected override _writeSchema(schema: Schema): this {
    return this._writeMagic()._writePadding(2)._writeMessage(Message.from(schema));
  }
  protected override _write(chunk: ArrayBufferView): this {
    this._position += take(chunk, this._started, this.taken);
    return this;
  }
}

function take(chunk: ArrayBufferView, isStarted: boolean, taken: Uint8Array[]): number {
  if (!isStarted || chunk.byteLength === 0) return 0;
  taken.push(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  return chunk.byteLength;
}
