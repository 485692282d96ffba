import { expect, test } from 'vitest'
import { differentPackages, needsPeers } from './peer-packages.ts'

const lock = (packages: Record<string, { version?: string; optional?: boolean }>) => ({ packages })
const wanted = lock({
  '': { version: '0.1.0' },
  'node_modules/ws': { version: '8.23.0' },
  'node_modules/for-another-platform': { version: '1.0.0', optional: true },
})

test('what is installed is good while it is what the lock file says', () => {
  expect(differentPackages(wanted, lock({ 'node_modules/ws': { version: '8.23.0' } }))).toEqual([])
  expect(differentPackages(wanted, lock({ 'node_modules/ws': { version: '8.22.0' } }))).toEqual([
    'node_modules/ws',
  ])
  expect(differentPackages(wanted, lock({}))).toEqual(['node_modules/ws'])
})

test('only a trial of another server needs the packages', () => {
  const needing = ['diptych', 'raw', 'hocuspocus', 'relay'].filter((subject) =>
    needsPeers({ subject, lane: '', params: {}, round: 1 }),
  )
  expect(needing).toEqual(['hocuspocus', 'relay'])
})
