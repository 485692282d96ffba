/** What `npm run store -- …` does, without its terminal. */
import type { WriteStream } from 'node:tty'
import { parseArgs } from 'node:util'
import { readHocuspocusDocuments } from '../../foreign-documents/hocuspocus-documents.ts'
import { importDocuments } from '../../foreign-documents/import-documents.ts'
import { readYLeveldbDocuments } from '../../foreign-documents/y-leveldb-documents.ts'
import type { ExportSummary } from './export-file.ts'
import { type ExportOutcome, exportStore, type OnProgress, type Progress } from './export-store.ts'
import { Search } from '../../search/search.ts'
import { UsageError } from '../../usage-error.ts'
import { checkExportFile, type ImportOutcome, importStore } from './import-store.ts'
import {
  locateStore,
  type StoreConfig,
  type StoreLocation,
  withoutServers,
  writeInStore,
} from './store-location.ts'

export interface CommandOutput {
  /** Shows progress where somebody looks. */
  readonly terminal: Pick<WriteStream, 'isTTY' | 'write'>
  print(line: string): void
}

const USAGE = `Allowed is one of:
  npm run store -- export FILE                          everything, to move it; no server may run
  npm run store -- backup FILE                          the same while the server runs
  npm run store -- check FILE                           whether such a file is whole
  npm run store -- import FILE [--merge]                into an empty store; --merge leaves what is there as it is,
                                                        and fails where a document differs from the file's
  npm run store -- restore FILE                         into an empty data folder, with its secret and certificate
  npm run store -- import --from y-websocket FOLDER --owner-of DOCUMENT
  npm run store -- import --from hocuspocus FILE --owner-of DOCUMENT
                                                        the documents of another program, for the owner of DOCUMENT;
                                                        --text-root NAME says where it keeps its text
  npm run store -- reindex                              builds the index of the search anew; no server may run`

type Run = (
  config: StoreConfig,
  file: string,
  options: CommandOptions,
  output: CommandOutput,
) => Promise<void>

interface CommandOptions {
  readonly merge?: boolean | undefined
  readonly from?: string | undefined
  readonly 'owner-of'?: string | undefined
  readonly 'text-root'?: string | undefined
}

/** Another program's documents, by its name on the command line. */
const foreignReaders = { 'y-websocket': readYLeveldbDocuments, hocuspocus: readHocuspocusDocuments }

/** @throws {UsageError} and errors of one sentence. */
export async function runStoreCommand(
  config: StoreConfig,
  args: readonly string[],
  output: CommandOutput,
): Promise<void> {
  const { help, options, positionals } = readArguments(args)
  if (help) return output.print(USAGE)
  const [name = '', file, ...others] = positionals
  if (name === 'reindex' && positionals.length === 1) return rebuildSearchIndex(config, output)
  const run = Object.hasOwn(commands, name) ? commands[name as keyof typeof commands] : undefined
  if (!run || file === undefined || others.length > 0) throw new UsageError(USAGE)
  if (Object.keys(options).length > 0 && name !== 'import')
    throw new UsageError(`Options belong to import. ${USAGE}`)
  await run(config, file, options, output)
}

function readArguments(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        merge: { type: 'boolean' },
        from: { type: 'string' },
        'owner-of': { type: 'string' },
        'text-root': { type: 'string' },
      },
    })
    const { help = false, ...options } = values
    return { help, options, positionals }
  } catch (error) {
    // Node goes on with advice about file names that begin with a hyphen.
    const [problem] = (error as Error).message.split('. ')
    throw new UsageError(`${problem}. ${USAGE}`)
  }
}

const commands: Record<'export' | 'backup' | 'check' | 'import' | 'restore', Run> = {
  async export(config, file, _options, output) {
    const location = await locateStore(config)
    const summary = await withProgress(output, 'Exporting', (onProgress) =>
      withoutServers(location, () => exportStore(location, file, onProgress)),
    )
    output.print(`${location.name} was exported to ${file}: ${describe(summary)}`)
    printMissing(summary, output)
  },

  async backup(config, file, _options, output) {
    const location = await locateStore(config)
    const summary = await withProgress(output, 'Backing up', (onProgress) =>
      exportStore(location, file, onProgress),
    )
    output.print(`${location.name} was backed up to ${file}: ${describe(summary)}`)
    printMissing(summary, output)
  },

  async check(_config, file, _options, output) {
    output.print(`${file} is whole: ${describe(await checkExportFile(file))}`)
  },

  async import(config, file, options, output) {
    if (options.from !== undefined) return importForeignDocuments(config, file, options, output)
    const { merge = false } = options
    const location = await locateStore(config)
    const outcome = await withProgress(output, 'Importing', (onProgress) =>
      importStore(location, file, { merge, onProgress }),
    )
    if (merge) return printMerge(file, location, outcome, output)
    output.print(
      `${file} was imported into ${location.name}, and read again from there: ${describe(outcome)}`,
    )
  },

  async restore(config, file, _options, output) {
    const location = await locateStore(config)
    const outcome = await withProgress(output, 'Restoring', (onProgress) =>
      importStore(location, file, { files: true, onProgress }),
    )
    output.print(`${location.name} was restored from ${file}, and read again: ${describe(outcome)}`)
  },
}

/** A purge at the same moment takes bytes away, too. */
function printMissing({ missingContents }: ExportOutcome, output: CommandOutput): void {
  for (const sha256 of missingContents)
    output.print(`  The bytes of a file are not where they were stored, and were left out: ${sha256}.`)
}

/** @throws {Error} one sentence when the file has something that is not in the store now. */
function printMerge(
  file: string,
  { name }: StoreLocation,
  { documents, keptDocuments, differing }: ImportOutcome,
  output: CommandOutput,
): void {
  const added = `${documents - keptDocuments} of its ${documents} documents and desks were added, and read again from there`
  output.print(
    `${file} was merged into ${name}: ${added}; ${keptDocuments} were there already and stay as they are.`,
  )
  for (const title of differing) output.print(`  ${title} differs from the file.`)
  if (differing.length > 0)
    throw new Error(
      'Not everything was imported: what the file has of the documents above was left out. To have it, import the file into an empty store.',
    )
}

const importForeignDocuments: Run = async (config, path, options, output) => {
  const { from = '', merge, 'owner-of': ownerOf, 'text-root': textRoot } = options
  const read = Object.hasOwn(foreignReaders, from)
    ? foreignReaders[from as keyof typeof foreignReaders]
    : undefined
  if (!read || ownerOf === undefined || merge) throw new UsageError(USAGE)
  const location = await locateStore(config)
  const { imported, leftOut } = await withProgress(output, 'Importing', (onProgress) =>
    writeInStore(location, (store) =>
      importDocuments(store, read(path), {
        ownerOf,
        textRoot,
        onProgress: (documents) => onProgress({ documents, bytes: 0, totalBytes: null }),
      }),
    ),
  )
  for (const { name, id } of imported) output.print(`${id} ${name}`)
  for (const { name, reason } of leftOut) output.print(`“${name}” was left out: ${reason}.`)
  output.print(`${imported.length} documents were imported, and ${leftOut.length} left out.`)
}

async function rebuildSearchIndex(config: StoreConfig, output: CommandOutput): Promise<void> {
  const location = await locateStore(config)
  const { indexed, failed } = await withProgress(output, 'Indexing', (onProgress) =>
    writeInStore(location, async (store) => {
      await using search = new Search({
        index: await store.openSearchIndex(),
        store: store.documents,
        onIndexed: (documents) => onProgress({ documents, bytes: 0, totalBytes: null }),
      })
      return await search.rebuild()
    }),
  )
  output.print(`The search index of ${location.name} was built anew: ${indexed} documents.`)
  if (failed > 0) throw new Error(`${failed} documents could not be loaded, and are not in it.`)
}

const describe = ({ documents, rows, hash }: ExportSummary): string =>
  `${documents} documents and desks, ${rows} rows, sha256 ${hash}.`

const PROGRESS_INTERVAL_MS = 200

async function withProgress<Answer>(
  { terminal }: CommandOutput,
  verb: string,
  run: (onProgress: OnProgress) => Promise<Answer>,
): Promise<Answer> {
  if (!terminal.isTTY) return run(() => {})
  let shownAt = 0
  try {
    return await run((progress) => {
      if (performance.now() - shownAt < PROGRESS_INTERVAL_MS) return
      shownAt = performance.now()
      terminal.write(`\r\x1B[K${verb}: ${describeProgress(progress)}`)
    })
  } finally {
    terminal.write('\r\x1B[K')
  }
}

function describeProgress({ documents, bytes, totalBytes }: Progress): string {
  const mebibytes = (count: number) => (count / 1024 ** 2).toFixed(1)
  const share = totalBytes === null ? '' : ` of ${mebibytes(totalBytes)}`
  return `${documents} documents and desks, ${mebibytes(bytes)}${share} MiB`
}
