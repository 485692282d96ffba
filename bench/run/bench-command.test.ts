import { expect, test } from 'vitest'
import { sampleScenario } from '../fixtures/sample-run.ts'
import { number } from '../support/options.ts'
import { readRequest } from './bench-command.ts'

const scenarioNamed = (name: string) =>
  sampleScenario({
    name,
    options: { keys: number('keys', 200, 1, 1000) },
    quick: { keys: '20' },
    plan: () => [],
  })

const known = ['broadcast', 'idle', 'loss'].map(scenarioNamed)
const read = (line: string) => {
  const { plan, quick, fresh } = readRequest(known, line.split(' ').filter(Boolean))
  return { names: plan.map(({ scenario: { name } }) => name), keys: plan[0]?.values.keys, quick, fresh }
}

test('without names all scenarios run, and named ones run in the order of the registry', () => {
  expect(read('')).toEqual({ names: ['broadcast', 'idle', 'loss'], keys: 200, quick: false, fresh: false })
  expect(read('loss broadcast').names).toEqual(['broadcast', 'loss'])
  expect(read('--quick --fresh')).toMatchObject({ keys: 20, quick: true, fresh: true })
  expect(read('idle --quick --keys 7')).toEqual({ names: ['idle'], keys: 7, quick: true, fresh: false })
})

test('an unknown name or option is an error that names it', () => {
  expect(() => read('idel')).toThrow('There is no benchmark "idel".')
  expect(() => read('--keys 7')).toThrow('--keys is an option of one scenario')
  expect(() => read('idle loss --keys 7')).toThrow('--keys is an option of one scenario')
  expect(() => read('--kyes 7')).toThrow('There is no option --kyes.')
  expect(() => read('idle --kyes 7')).toThrow('--kyes')
})
