/** The bytes of a picture that stands in a page as letters; null for letters that are none. */
export function decodeBase64(letters: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}
