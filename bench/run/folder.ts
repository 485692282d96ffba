/**
 * A run's folder: `run.json` says what was planned and where it ran, and each trial has a file, written once it is over. What has a
 * file is not run again: so a run goes on where it was stopped, and its report can be made anew from what lies here.
 */
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { projectFolder } from '../../server/page-build.ts'
import type { Environment } from '../support/machine.ts'
import { keyOf, type Outcome, type Trial } from '../support/trial.ts'

/** A folder a run, in a folder that git ignores. */
export const resultsFolder = join(projectFolder, 'bench/results')

/** Each time that somebody started or continued it. */
export interface RunSession {
  readonly surroundings: Environment
  /** Milliseconds each: 4 KiB appended and synced, before the first trial. */
  readonly fsync: readonly number[]
  readonly loadBefore: number
}

export interface RunInfo {
  readonly quick: boolean
  /** In the order they are run in, each with its values. */
  readonly scenarios: readonly { readonly name: string; readonly values: Readonly<Record<string, unknown>> }[]
  /** What was measured: a digest of the program's files. The commit is with the surroundings. */
  readonly source: string
  readonly sittings: readonly RunSession[]
  /** ISO 8601, once all trials were run. */
  readonly finished?: string
}

export interface Failure {
  readonly trial: Trial
  readonly failed: string
}

/** What a trial came to, and what came of it each time before, when it failed and was run again. */
export type StoredTrial = (Outcome | Failure) & { readonly failedBefore?: readonly string[] }

export class RunFolder {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  static async create(parent: string, name: string, info: RunInfo): Promise<RunFolder> {
    const folder = new RunFolder(join(parent, name))
    await mkdir(folder.path, { recursive: true })
    await folder.writeInfo(info)
    return folder
  }

  get name(): string {
    return basename(this.path)
  }

  /** @throws {Error} when there is no run. */
  async info(): Promise<RunInfo> {
    return (await readJson(join(this.path, 'run.json'))) as RunInfo
  }

  async writeInfo(info: RunInfo): Promise<void> {
    await writeJson(join(this.path, 'run.json'), info)
  }

  async keep(scenario: string, outcome: Outcome | Failure): Promise<void> {
    await mkdir(join(this.path, scenario), { recursive: true })
    const failedBefore = failuresOf(await this.#kept(scenario, outcome.trial))
    const kept: StoredTrial = failedBefore.length > 0 ? { ...outcome, failedBefore } : outcome
    await writeJson(this.#fileOf(scenario, outcome.trial), kept)
  }

  /** Undefined where it was not run, or did not succeed. */
  async outcome(scenario: string, trial: Trial): Promise<Outcome | undefined> {
    const kept = await this.#kept(scenario, trial)
    return kept && !('failed' in kept) ? kept : undefined
  }

  /** Of all trials that were run, in no order. */
  async keptOf(scenario: string): Promise<StoredTrial[]> {
    const names = await unlessMissing(readdir(join(this.path, scenario)))
    const files = (names ?? []).filter((name) => name.endsWith('.json'))
    return Promise.all(files.map((name) => readJson(join(this.path, scenario, name)))) as Promise<
      StoredTrial[]
    >
  }

  #kept(scenario: string, trial: Trial): Promise<StoredTrial | undefined> {
    return unlessMissing(readJson(this.#fileOf(scenario, trial))) as Promise<StoredTrial | undefined>
  }

  #fileOf(scenario: string, trial: Trial): string {
    return join(this.path, scenario, `${keyOf(trial)}.json`)
  }
}

/** Oldest first. */
const failuresOf = (kept: StoredTrial | undefined): string[] => [
  ...(kept?.failedBefore ?? []),
  ...(kept && 'failed' in kept ? [kept.failed] : []),
]

/** The newest first. */
export async function runsIn(parent: string): Promise<RunFolder[]> {
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => [])
  const runs: RunFolder[] = []
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? 1 : -1))) {
    if (!entry.isDirectory()) continue
    const run = new RunFolder(join(parent, entry.name))
    if (await run.info().catch(() => undefined)) runs.push(run)
  }
  return runs
}

/** The newest run of the same plan and the same source that is not finished. */
export async function unfinished(
  parent: string,
  wanted: Pick<RunInfo, 'quick' | 'scenarios' | 'source'>,
): Promise<RunFolder | undefined> {
  for (const run of await runsIn(parent)) {
    const info = await run.info()
    if (info.finished === undefined && samePlan(info, wanted)) return run
  }
  return undefined
}

const samePlan = (one: Pick<RunInfo, 'quick' | 'scenarios' | 'source'>, other: typeof one): boolean =>
  JSON.stringify([one.quick, one.scenarios, one.source]) ===
  JSON.stringify([other.quick, other.scenarios, other.source])

async function unlessMissing<Thing>(reading: Promise<Thing>): Promise<Thing | undefined> {
  try {
    return await reading
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8')) as unknown

/** Whole or not at all: a run may be stopped at any moment. */
async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(`${path}.part`, `${JSON.stringify(value)}\n`)
  await rename(`${path}.part`, path)
}
