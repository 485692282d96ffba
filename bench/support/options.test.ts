import { expect, test } from 'vitest'
import { number, numbers, readOptions, someOf } from './options.ts'

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
  expect(() => readOptions(options, ['--lanes', 'sse', '--keys=-5'])).toThrow(
    '--keys is "-5"; allowed is a whole number from 10 to 1000.',
  )
  expect(() => readOptions(options, ['--lanes', 'sse,carrier-pigeon'])).toThrow(
    'one or several of websocket, sse, poll',
  )
  expect(() => readOptions(options, ['--keys', '-5'])).toThrow('--keys')
  expect(() => readOptions(options, ['--speed', '1'])).toThrow('--speed')
})

test('numbers are one or several, each once', () => {
  const own = { characters: numbers('characters', [0, 21_000], 0, 1_000_000) }
  const read = (text: string) => readOptions(own, [`--characters=${text}`]).characters
  expect(readOptions(own, []).characters).toEqual([0, 21_000])
  expect(read('104000,0')).toEqual([104_000, 0])
  for (const wrong of ['', '0,', '0,x', '0,0', '2000000', '-5'])
    expect(() => read(wrong)).toThrow('one or several whole numbers from 0 to 1000000, separated by commas')
})
