/** The schema of an Arrow file or stream, checked before apache-arrow decodes it. */
import { Message } from 'apache-arrow';
import type { Schema } from 'apache-arrow';
import { Footer } from 'apache-arrow/ipc/metadata/file';
import { Corrupt, Unsupported } from '../formatErrors.ts';
import { FlatTable } from './flatbuffer.ts';

const MAX_FIELDS = 10_000;

/** The schema that the metadata of a schema message holds. Throws `Corrupt` or `Unsupported`. */
export function schemaOfMessage(metadata: Uint8Array): Schema {
  checkSchema(FlatTable.root(metadata).table(2));
  const message = Message.decode(metadata);
  if (!message.isSchema()) throw new Corrupt('it does not begin with a schema');
  return message.header();
}

/** The same schema from the footer of a file. */
export function schemaOfFooter(footer: Uint8Array): Schema {
  checkSchema(FlatTable.root(footer).table(1));
  return Footer.decode(footer).schema;
}

/** Checks that a schema's lists are as long as they say. */
function checkSchema(schema: FlatTable | undefined): void {
  if (schema === undefined) throw new Corrupt('it has no schema');
  if (schema.int16(0) !== 0) throw new Unsupported('its numbers are big-endian');
  let count = 0;
  const check = (field: FlatTable, depth: number): void => {
    if (depth > 32 || ++count > MAX_FIELDS) throw new Corrupt('its schema has too many fields');
    field.tables(6);
    for (const child of field.tables(5)) check(child, depth + 1);
  };
  schema.tables(2);
  for (const field of schema.tables(1)) check(field, 0);
}
