/** The files of this browser, for all documents of a page. */
import { isLocalStoreSupported } from '../sync/local/browser-records.ts'
import { FileUrls } from './file-urls.ts'
import { LocalFiles } from './local-files.ts'

let urls: FileUrls | undefined

/** Null in Node, and where a browser stores nothing for this page. */
export const browserFiles = (): FileUrls | null =>
  isLocalStoreSupported()
    ? (urls ??= new FileUrls(new LocalFiles(indexedDB), new BroadcastChannel('diptych-files')))
    : null
