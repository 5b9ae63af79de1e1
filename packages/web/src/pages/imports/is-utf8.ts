/** Whether a file is valid UTF-8. It is read in pieces, so that a long file does not fill the memory. */
const pieceBytes = 1024 * 1024;

export async function isUtf8(file: Blob): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (let start = 0; start < file.size; start += pieceBytes)
      decoder.decode(await file.slice(start, start + pieceBytes).arrayBuffer(), { stream: true });
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}
