/** Bundles the script of Tiptap's page, as an application would. */
import { join } from 'node:path'
import { projectFolder } from '../../server/page-build.ts'

/** @returns The path of the script. */
export async function bundleTiptapPage(folder: string): Promise<string> {
  // It comes with Vitest, and is loaded only when it is needed.
  const { rolldown } = await import('rolldown')
  const file = join(folder, 'tiptap-page.js')
  const bundle = await rolldown({
    input: join(projectFolder, 'bench/peers/tiptap-page.ts'),
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  })
  await bundle.write({ file, format: 'esm', minify: true })
  await bundle.close()
  return file
}
