/** Gives a person a file. */

/** The browser has the bytes once it has begun the download, of which it does not tell. */
const REVOKED_AFTER_MS = 60_000

export function saveFile(name: string, bytes: BlobPart): void {
  // As bytes of no type: a page among them must not open under this address.
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
  followDownload(url, name)
  setTimeout(() => URL.revokeObjectURL(url), REVOKED_AFTER_MS)
}

export const followDownload = (url: string, name: string): void =>
  Object.assign(document.createElement('a'), { href: url, download: name || 'file' }).click()
