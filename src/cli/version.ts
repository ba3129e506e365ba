/** The version, from the one place that says it. */
import { version } from '../../package.json';

export const VERSION: string = version;
