import { expect, test } from 'vitest'
import { diptych } from './server.ts'

test('the measured server is the shipped one, without its supervisor, which would be measured in its place', () => {
  const { args } = diptych()
  expect(args).toContain('server/main.ts')
  expect(args).not.toContain('server/supervisor.ts')
  expect(args.filter((word) => word.startsWith('--max-semi-space-size'))).toHaveLength(1)
})
