/** Arrow's types whose values are text or bytes, by how they are laid out and by what they mean. */
import { DataType } from 'apache-arrow';

/** With offsets into one data buffer. */
export function hasOffsets(type: DataType): boolean {
  return (
    DataType.isUtf8(type) ||
    DataType.isLargeUtf8(type) ||
    DataType.isBinary(type) ||
    DataType.isLargeBinary(type)
  );
}

/** With views, which hold short values themselves. */
export function isView(type: DataType): boolean {
  return DataType.isUtf8View(type) || DataType.isBinaryView(type);
}

/** Text, however it is laid out. */
export function isText(type: DataType): boolean {
  return DataType.isUtf8(type) || DataType.isLargeUtf8(type) || DataType.isUtf8View(type);
}
