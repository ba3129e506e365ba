/** Parts that several schemas of a run are made of. */
import * as z from 'zod';

/** An absolute POSIX path inside a container, such as `/app/solution.py`. */
export const containerPathSchema = z.templateLiteral(['/', z.string()]);
export type ContainerPath = z.infer<typeof containerPathSchema>;

export const runtimeKindSchema = z.enum(['docker', 'sandbox']);
export type RuntimeKind = z.infer<typeof runtimeKindSchema>;
/** What a person asks for; `auto`: Docker when an engine answers, else the sandbox. */
export type RequestedKind = 'auto' | RuntimeKind;
