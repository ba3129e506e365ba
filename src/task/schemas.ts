/** Parts of a task that stored files and documents name. */
import * as z from 'zod';

/** A `ContainerPath`. */
export const containerPathSchema = z.templateLiteral(['/', z.string()]);

export const familySchema = z.enum(['bugsinpy', 'manybugs', 'harbor']);
/** The published shape that a task of a family follows. */
export const shapeSchema = z.enum(['v1', 'v2', 'v4']);

export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 hex digits');
