/** Where results are kept: one JSON file a run, in a folder that git ignores. */
import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { projectFolder } from '../../server/page-build.ts'

export const resultsFolder = join(projectFolder, 'bench/results')

/** Returns the file's path as seen from the project. */
export async function writeResult(name: string, result: object): Promise<string> {
  const moment = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  const file = join(resultsFolder, `${name}-${moment}.json`)
  await writeFile(file, `${JSON.stringify(result)}\n`)
  return relative(projectFolder, file)
}
