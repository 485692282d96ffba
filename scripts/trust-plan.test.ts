import { expect, test } from 'vitest'
import type { Machine } from './trust-plan.ts'
import { planTrust } from './trust-plan.ts'

const machine = (platform: NodeJS.Platform, programs: string[], more: Partial<Machine> = {}): Machine => ({
  platform,
  home: '/home/me',
  isRoot: false,
  has: (program) => programs.includes(program),
  exists: () => true,
  ...more,
})

const authorityPath = '/data/tls/authority.pem'
const nssCommand = `certutil -d sql:/home/me/.pki/nssdb -A -t C,, -n diptych-local-authority -i ${authorityPath}`

test.each<[string, Machine, string[]]>([
  [
    'Debian',
    machine('linux', ['update-ca-certificates', 'certutil']),
    [
      `sudo cp ${authorityPath} /usr/local/share/ca-certificates/diptych.crt`,
      'sudo update-ca-certificates',
      nssCommand,
    ],
  ],
  [
    'Debian as root, without certutil',
    machine('linux', ['update-ca-certificates'], { isRoot: true }),
    [`cp ${authorityPath} /usr/local/share/ca-certificates/diptych.crt`, 'update-ca-certificates'],
  ],
  [
    'Fedora before the first start of a browser',
    machine('linux', ['update-ca-trust', 'certutil'], { exists: () => false }),
    [`sudo cp ${authorityPath} /etc/pki/ca-trust/source/anchors/diptych.pem`, 'sudo update-ca-trust extract'],
  ],
  [
    'macOS',
    machine('darwin', []),
    [`sudo security add-trusted-cert -d -k /Library/Keychains/System.keychain ${authorityPath}`],
  ],
  ['Windows', machine('win32', []), [`certutil -user -addstore Root ${authorityPath}`]],
  ['anything else', machine('freebsd', []), []],
])('on %s', (_name, testedMachine, expected) => {
  const { commands, notes } = planTrust(authorityPath, testedMachine)
  expect(commands.map((command) => command.join(' '))).toEqual(expected)
  expect(notes.length).toBeGreaterThan(0)
})

test('an unknown Linux, and a browser without certutil, get a note with the file', () => {
  const { notes } = planTrust(authorityPath, machine('linux', []))
  expect(notes.filter((note) => note.includes(authorityPath))).toHaveLength(3)
})
