/** Pictures as programs for documents open them: what they may not know becomes a JPEG. */

const knownTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif'])

/** What nobody tells from the original on paper. */
const QUALITY = 0.9

/** The same where it is known, or cannot be drawn. */
export async function officePictureOf(picture: Blob): Promise<Blob> {
  if (knownTypes.has(picture.type)) return picture
  try {
    const bitmap = await createImageBitmap(picture)
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    const context = canvas.getContext('2d')!
    // A JPEG has nothing that can be seen through: paper is white.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, bitmap.width, bitmap.height)
    context.drawImage(bitmap, 0, 0)
    bitmap.close()
    return await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY })
  } catch {
    return picture
  }
}
