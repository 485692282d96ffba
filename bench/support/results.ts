/** Where results are kept: a folder a run, in a folder that git ignores. */
import { join } from 'node:path'
import { projectFolder } from '../../server/page-build.ts'

export const resultsFolder = join(projectFolder, 'bench/results')
