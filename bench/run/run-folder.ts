/**
 * The folder of a run. `run.json` says what was planned and where it ran, and each trial writes a file once it is over. A trial with a file
 * is not run again, so a stopped run goes on where it was, and its report can be made again from these files.
 */
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { projectFolder } from '../../server/page-build.ts'
import type { Environment } from '../support/machine.ts'
import { keyOf, type Outcome, type Trial } from '../support/trial.ts'

/** Git ignores it. Each run has a folder in it. */
export const resultsFolder = join(projectFolder, 'bench/results')

/** One start of a run, or one continuation after a stop. */
export interface RunSession {
  readonly surroundings: Environment
  /** In milliseconds: 4 KiB appended and synced, measured before the first trial. */
  readonly fsync: readonly number[]
  readonly loadBefore: number
}

export interface RunInfo {
  readonly quick: boolean
  /** In the order in which they run, each with the values of its options. */
  readonly scenarios: readonly { readonly name: string; readonly values: Readonly<Record<string, unknown>> }[]
  /** A digest of the program's files. `surroundings` has the commit. */
  readonly source: string
  readonly sittings: readonly RunSession[]
  /** ISO 8601; undefined until all trials were run. */
  readonly finished?: string
}

export interface Failure {
  readonly trial: Trial
  readonly failed: string
}

/** The outcome of a trial, or why it failed; and why it failed each time before, if it was run again. */
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

  /** @throws {Error} if there is no run in the folder. */
  async readInfo(): Promise<RunInfo> {
    return readJson<RunInfo>(join(this.path, 'run.json'))
  }

  async writeInfo(info: RunInfo): Promise<void> {
    await writeJson(join(this.path, 'run.json'), info)
  }

  async saveTrial(scenario: string, outcome: Outcome | Failure): Promise<void> {
    await mkdir(join(this.path, scenario), { recursive: true })
    const failedBefore = failuresOf(await this.#readTrial(scenario, outcome.trial))
    const stored: StoredTrial = failedBefore.length > 0 ? { ...outcome, failedBefore } : outcome
    await writeJson(this.#fileOf(scenario, outcome.trial), stored)
  }

  /** Undefined if the trial was not run or failed. */
  async readOutcome(scenario: string, trial: Trial): Promise<Outcome | undefined> {
    const stored = await this.#readTrial(scenario, trial)
    return stored && !('failed' in stored) ? stored : undefined
  }

  /** Returns all trials that were run, in no order. */
  async readTrials(scenario: string): Promise<StoredTrial[]> {
    const names = await unlessMissing(readdir(join(this.path, scenario)))
    const files = (names ?? []).filter((name) => name.endsWith('.json'))
    return Promise.all(files.map((name) => readJson<StoredTrial>(join(this.path, scenario, name))))
  }

  #readTrial(scenario: string, trial: Trial): Promise<StoredTrial | undefined> {
    return unlessMissing(readJson<StoredTrial>(this.#fileOf(scenario, trial)))
  }

  #fileOf(scenario: string, trial: Trial): string {
    return join(this.path, scenario, `${keyOf(trial)}.json`)
  }
}

/** The oldest first. */
const failuresOf = (stored: StoredTrial | undefined): string[] => [
  ...(stored?.failedBefore ?? []),
  ...(stored && 'failed' in stored ? [stored.failed] : []),
]

/** Returns the runs of a folder, the newest first. */
export async function listRuns(parent: string): Promise<RunFolder[]> {
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => [])
  const runs: RunFolder[] = []
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? 1 : -1))) {
    if (!entry.isDirectory()) continue
    const run = new RunFolder(join(parent, entry.name))
    if (await run.readInfo().catch(() => undefined)) runs.push(run)
  }
  return runs
}

type RunPlan = Pick<RunInfo, 'quick' | 'scenarios' | 'source'>

/** Finds the newest unfinished run with the same plan and the same source. */
export async function findUnfinishedRun(parent: string, wanted: RunPlan): Promise<RunFolder | undefined> {
  for (const run of await listRuns(parent)) {
    const info = await run.readInfo()
    if (info.finished === undefined && hasSamePlan(info, wanted)) return run
  }
  return undefined
}

const hasSamePlan = (one: RunPlan, other: RunPlan): boolean =>
  JSON.stringify([one.quick, one.scenarios, one.source]) ===
  JSON.stringify([other.quick, other.scenarios, other.source])

async function unlessMissing<Content>(reading: Promise<Content>): Promise<Content | undefined> {
  try {
    return await reading
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const readJson = async <Content>(path: string): Promise<Content> =>
  JSON.parse(await readFile(path, 'utf8')) as Content

/** Writes the whole file or nothing, because a run may be stopped at any moment. */
async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(`${path}.part`, `${JSON.stringify(value)}\n`)
  await rename(`${path}.part`, path)
}
