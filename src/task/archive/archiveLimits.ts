/** The bounds that keep an archive or a folder from filling memory. */

/** What an archive or a task folder may cost. Sizes in bytes. */
export interface ArchiveLimits {
  /** Files and folders together. */
  readonly members: number;
  readonly fileBytes: number;
  /** All that is unpacked, headers and padding included. */
  readonly totalBytes: number;
  /** Unpacked to packed size; checked once more than `ratioAboveBytes` are unpacked. */
  readonly ratio: number;
  readonly ratioAboveBytes: number;
}

export const DEFAULT_ARCHIVE_LIMITS: ArchiveLimits = {
  members: 10_000,
  fileBytes: 64 * 1024 * 1024,
  totalBytes: 256 * 1024 * 1024,
  ratio: 1000,
  ratioAboveBytes: 16 * 1024 * 1024,
};
