/** Bundles a program into one script for a page, as an application would. */
import { basename, join } from 'node:path'
import { projectFolder } from '../../server/page-build.ts'

/** @param program The path of a TypeScript file, as seen from the project's folder. @returns The path of the script. */
export async function bundlePageScript(program: string, folder: string): Promise<string> {
  // It comes with Vitest, and is loaded only when it is needed.
  const { rolldown } = await import('rolldown')
  const file = join(folder, `${basename(program, '.ts')}.js`)
  await using bundle = await rolldown({
    input: join(projectFolder, program),
    platform: 'browser',
    checks: { eval: false }, // hdr-histogram-js has one for Node
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  })
  await bundle.write({ file, format: 'esm', minify: true, codeSplitting: false })
  return file
}
