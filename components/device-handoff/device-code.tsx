'use client'

import { QrCode as QrIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button.tsx'
import {
  codeUrl,
  reachableAddressesOf,
  type ReachableAddresses,
} from '@/components/addresses/reachable-addresses.ts'
import { QrCode } from '@/components/addresses/qr-code.tsx'
import { AddressNote } from '@/components/addresses/address-note.tsx'
import { useDeviceCode, type DeviceCodeState as Code } from './use-device-code.ts'
import { Sentence } from '@/components/ui/sentence.tsx'
import { devicesStrings } from '@/lib/strings/devices.ts'

interface DeviceCodeProps {
  /** The path that the code opens: "/d/{id}/p/outline". */
  readonly path: string
  /** What the code opens, for example "Outline". */
  readonly name: string
}

/** A QR code that opens a page on another device and signs it in as the same person. */
export function DeviceCode({ path, name }: DeviceCodeProps) {
  const [code, createCode] = useDeviceCode()
  return (
    <div className="flex flex-col gap-3">
      {code.state === 'ready' ? (
        <ReadyCode code={code} path={path} name={name} />
      ) : (
        <div className="flex flex-col items-start gap-2">
          <p>{devicesStrings.code.hint[code.state]}</p>
          <Button onClick={createCode} disabled={code.state === 'making'} aria-busy={code.state === 'making'}>
            <QrIcon size={16} aria-hidden />
            {code.state === 'none' || code.state === 'making'
              ? devicesStrings.code.show
              : devicesStrings.code.renew}
          </Button>
        </div>
      )}
      <p role="alert" className="text-danger empty:absolute">
        {code.state === 'failed' && code.message}
      </p>
    </div>
  )
}

interface ReadyCodeProps extends DeviceCodeProps {
  readonly code: Extract<Code, { state: 'ready' }>
}

function ReadyCode({ code: { deviceTicket, secondsLeft }, path, name }: ReadyCodeProps) {
  const addresses = reachableAddressesOf(location.origin, deviceTicket.addresses)
  const [chosenOrigin, setChosenOrigin] = useState('')
  const origin = addresses.origins.includes(chosenOrigin) ? chosenOrigin : addresses.origins[0]!
  return (
    <div className="flex flex-wrap gap-4">
      <QrCode text={codeUrl(origin, path, deviceTicket.ticket)} label={devicesStrings.code.label(name)} />
      <div className="flex min-w-48 flex-1 flex-col gap-2">
        <p>
          <Sentence
            parts={devicesStrings.code.goodFor(
              secondsLeft,
              <span className="tabular-nums">{secondsLeft}</span>,
            )}
          />
        </p>
        {addresses.origins.length > 1 && (
          <AddressSelect addresses={addresses} origin={origin} onChoose={setChosenOrigin} />
        )}
        <AddressNote addresses={addresses} />
      </div>
    </div>
  )
}

interface AddressSelectProps {
  readonly addresses: ReachableAddresses
  readonly origin: string
  readonly onChoose: (origin: string) => void
}

/** Lets the person choose an address: a computer is in several networks at once and does not know which one the other device is in. */
const AddressSelect = ({ addresses, origin, onChoose }: AddressSelectProps) => (
  <label className="flex min-w-0 flex-col gap-1">
    {devicesStrings.code.otherAddress}
    <select
      value={origin}
      onChange={(event) => onChoose(event.target.value)}
      className="h-9 w-full min-w-0 rounded-lg border border-edge bg-paper px-2"
    >
      {addresses.origins.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  </label>
)
