import { expect, test } from 'vitest'
import { sampleScenario } from '../fixtures/sample-run.ts'
import { number } from '../support/options.ts'
import { readRequest } from './bench-command.ts'

const called = (name: string) =>
  sampleScenario({
    name,
    options: { keys: number('keys', 200, 1, 1000) },
    quick: { keys: '20' },
    plan: () => [],
  })

const known = ['broadcast', 'idle', 'loss'].map(called)
const asked = (line: string) => {
  const { plan, quick, fresh } = readRequest(known, line.split(' ').filter(Boolean))
  return { names: plan.map(({ scenario: { name } }) => name), keys: plan[0]?.values.keys, quick, fresh }
}

test('all, or those that are named, in the order they are known in', () => {
  expect(asked('')).toEqual({ names: ['broadcast', 'idle', 'loss'], keys: 200, quick: false, fresh: false })
  expect(asked('loss broadcast').names).toEqual(['broadcast', 'loss'])
  expect(asked('--quick --fresh')).toMatchObject({ keys: 20, quick: true, fresh: true })
  expect(asked('idle --quick --keys 7')).toEqual({ names: ['idle'], keys: 7, quick: true, fresh: false })
})

test('what is not known is said', () => {
  expect(() => asked('idel')).toThrow('There is no benchmark "idel".')
  expect(() => asked('--keys 7')).toThrow('--keys is an option of one scenario')
  expect(() => asked('idle loss --keys 7')).toThrow('--keys is an option of one scenario')
  expect(() => asked('--kyes 7')).toThrow('There is no option --kyes.')
  expect(() => asked('idle --kyes 7')).toThrow('--kyes')
})
