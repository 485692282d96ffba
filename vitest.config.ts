import { matchesGlob } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Half a minute each, and more: begun at the end they would run on alone. */
const slow = ['lib/simulation.test.ts', 'server/gateways/transports.test.ts', 'e2e/{faults,chaos}/*.test.ts']

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) =>
      slow.some((pattern) => matchesGlob(moduleId, `${import.meta.dirname}/${pattern}`))
    return (await super.sort(files)).toSorted((a, b) => Number(isSlow(b)) - Number(isSlow(a)))
  }
}

export default defineConfig({
  resolve: { alias: { '@': import.meta.dirname }, conditions: ['node', 'default'] },
  ssr: { resolve: { conditions: ['node', 'default'] } },
  test: {
    include: ['{app,bench,components,docs,e2e,lib,scripts,server}/**/*.test.ts'],
    environment: 'node',
    watch: false,
    pool: 'forks',
    // Tests start servers and workers of their own. The slow ones mostly wait, and leave room for one more than two cores.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})
