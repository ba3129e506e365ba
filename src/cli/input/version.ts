/** Versions, from package.json. */
import { engines, version } from '../../../package.json';

export const VERSION: string = version;

/** The first version of Node that will do. */
export const LEAST_NODE: string = engines.node.replace(/^>=/, '');
