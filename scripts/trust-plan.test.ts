import { expect, test } from 'vitest'
import type { Authority, Machine } from './trust-plan.ts'
import { planRemoval, planTrust } from './trust-plan.ts'

const machine = (platform: NodeJS.Platform, programs: string[], more: Partial<Machine> = {}): Machine => ({
  platform,
  home: '/home/me',
  isRoot: false,
  has: (program) => programs.includes(program),
  exists: () => true,
  succeeds: () => true,
  ...more,
})

const authorityPath = '/data/tls/authority.pem'
const authority: Authority = { file: authorityPath, sha1: 'AB12' }
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
  const { commands, notes } = planTrust(authority, testedMachine)
  expect(commands.map((command) => command.join(' '))).toEqual(expected)
  expect(notes.length).toBeGreaterThan(0)
})

test('an unknown Linux, and a browser without certutil, get a note with the file', () => {
  const { notes } = planTrust(authority, machine('linux', []))
  expect(notes.filter((note) => note.includes(authorityPath))).toHaveLength(3)
})

const nssRemoval = 'certutil -d sql:/home/me/.pki/nssdb -D -n diptych-local-authority'

test.each<[string, Machine, string[]]>([
  [
    'Debian',
    machine('linux', ['update-ca-certificates', 'certutil']),
    ['sudo rm -f /usr/local/share/ca-certificates/diptych.crt', 'sudo update-ca-certificates', nssRemoval],
  ],
  [
    'Fedora as root, where no browser has it',
    machine('linux', ['update-ca-trust', 'certutil'], { isRoot: true, succeeds: () => false }),
    ['rm -f /etc/pki/ca-trust/source/anchors/diptych.pem', 'update-ca-trust extract'],
  ],
  [
    'macOS',
    machine('darwin', []),
    [
      `sudo security remove-trusted-cert -d ${authorityPath}`,
      'sudo security delete-certificate -Z AB12 /Library/Keychains/System.keychain',
    ],
  ],
  ['Windows', machine('win32', []), ['certutil -user -delstore Root AB12']],
  ['anything else', machine('freebsd', []), []],
])('it is removed on %s', (_name, testedMachine, expected) => {
  const { commands, notes } = planRemoval(authority, testedMachine)
  expect(commands.map((command) => command.join(' '))).toEqual(expected)
  expect(notes.length).toBeGreaterThan(0)
})

test.each(['darwin', 'win32', 'linux', 'freebsd'] as const)(
  'where %s has no way to find it, a note says what to look for',
  (platform) => {
    const { commands, notes } = planRemoval({ file: authorityPath, sha1: null }, machine(platform, []))
    expect(commands).toEqual([])
    expect(notes[0]).toContain('"Diptych local authority of …"')
  },
)
