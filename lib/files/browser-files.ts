/** The files of this browser, for all documents of a page. */
import { realClock } from '../session/clock.ts'
import { isLocalStoreSupported } from '../sync/local/browser-records.ts'
import { rememberedPrincipal } from '../sync/local/remembered-principal.ts'
import { FileUploads } from './file-uploads.ts'
import { FileUrls } from './file-urls.ts'
import { LocalFiles } from './local-files.ts'

interface BrowserFiles {
  readonly urls: FileUrls
  readonly uploads: FileUploads
}

let opened: BrowserFiles | undefined

/** Null in Node, and where a browser stores nothing for this page. */
const openFiles = (): BrowserFiles | null => (isLocalStoreSupported() ? (opened ??= createFiles()) : null)

function createFiles(): BrowserFiles {
  const files = new LocalFiles(indexedDB)
  const channel = new BroadcastChannel('diptych-files')
  const uploads = new FileUploads({
    files,
    channel,
    locks: navigator.locks,
    clock: realClock,
    request: (path, init) => fetch(path, init),
    principal: rememberedPrincipal,
  })
  addEventListener('online', () => uploads.start())
  return { urls: new FileUrls(files, channel), uploads }
}

export const browserFiles = (): FileUrls | null => openFiles()?.urls ?? null

export const browserUploads = (): FileUploads | null => openFiles()?.uploads ?? null
