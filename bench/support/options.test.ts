import { expect, test } from 'vitest'
import { number, readOptions, someOf } from './options.ts'

const options = {
  keys: number('keys', 200, 10, 1000),
  lanes: someOf('lanes', ['websocket', 'sse', 'poll'], ['websocket', 'sse']),
}

test('what is not given has its default', () => {
  expect(readOptions(options, [])).toEqual({ keys: 200, lanes: ['websocket', 'sse'] })
  expect(readOptions(options, ['--lanes', 'poll', '--keys', '10'])).toEqual({ keys: 10, lanes: ['poll'] })
})

test('what is not allowed is named with what is', () => {
  expect(() => readOptions(options, ['--keys', '9'])).toThrow(
    '--keys is "9"; allowed is a whole number from 10 to 1000.',
  )
  expect(() => readOptions(options, ['--lanes', 'sse', '--keys', '-5'])).toThrow(
    '--keys is "-5"; allowed is a whole number from 10 to 1000.',
  )
  expect(() => readOptions(options, ['--lanes', 'sse,carrier-pigeon'])).toThrow(
    'one or several of websocket, sse, poll',
  )
  expect(() => readOptions(options, ['--speed', '1'])).toThrow('--speed')
})
