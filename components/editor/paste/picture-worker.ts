/** Draws a picture smaller, and without anything but its pixels. */

export interface ScaleRequest {
  readonly bytes: Blob
  readonly width: number
  readonly height: number
  /** For a browser that writes no WebP. */
  readonly otherType: 'image/jpeg' | 'image/png'
}

/** Null where the browser cannot draw or write it. */
export type ScaleResponse = Blob | null

/** On a screen, people do not tell a picture of this quality from the original. */
const QUALITY = 0.85

addEventListener('message', ({ data }: MessageEvent<ScaleRequest>) => {
  scale(data).then(postResponse, () => postResponse(null))
})

const postResponse = (response: ScaleResponse): void => postMessage(response)

/** Browsers do not agree what a size that is asked of `createImageBitmap` means for a picture that is turned. */
async function scale({ bytes, width, height, otherType }: ScaleRequest): Promise<Blob> {
  const bitmap = await createImageBitmap(bytes)
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, width, height)
  bitmap.close()
  const webp = await canvas.convertToBlob({ type: 'image/webp', quality: QUALITY })
  return webp.type === 'image/webp' ? webp : canvas.convertToBlob({ type: otherType, quality: QUALITY })
}
