/**
 * Several downloads that are read as one stream, one after the other: what its reader takes counts for the one that is open, and the stream
 * ends without its rest once that one is cut.
 */
import type { Chunks, Download } from './state-downloads.ts'

export class DownloadSeries {
  #open: Download | null = null
  #endStream: ((error: Error) => void) | null = null

  /** The chunks that follow belong to this download, until it is closed. */
  begin(download: Download): void {
    this.#open = download
    download.joinStream((error) => this.#endStream?.(error))
  }

  /** Chunks are made no further than they are read. @param onEnded Called once, however the stream ends. */
  stream(chunks: Chunks, onEnded: () => void): ReadableStream<Uint8Array<ArrayBuffer>> {
    let isEnded = false
    const end = (): void => {
      if (isEnded) return
      isEnded = true
      onEnded()
      void chunks.return()
    }
    return new ReadableStream(
      {
        start: (controller) => {
          this.#endStream = (error) => {
            controller.error(error)
            end()
          }
        },
        pull: async (controller) => {
          this.#open?.markTaken()
          try {
            const { value, done } = await chunks.next()
            if (isEnded) return
            if (!done) return controller.enqueue(value)
            controller.close()
          } catch (error) {
            end()
            throw error
          }
          end()
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    )
  }
}
