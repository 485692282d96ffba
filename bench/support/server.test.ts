import { expect, test } from 'vitest'
import { diptych } from './server.ts'

test('the server is measured as it is shipped, and by itself: a supervisor would be measured in its place', () => {
  const { args } = diptych()
  expect(args).toContain('server/main.ts')
  expect(args).not.toContain('server/supervisor.ts')
  expect(args.filter((word) => word.startsWith('--max-semi-space-size'))).toHaveLength(1)
})
