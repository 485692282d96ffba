import { initialsOf, type Person, type PersonWindow } from '@/components/profile/people.ts'
import { isLinkCaller } from '@/lib/protocol/link-caller.ts'
import { usePersonActions } from '@/components/following/use-person-actions.ts'
import { Button } from '@/components/ui/button.tsx'
import { Hint } from '@/components/ui/hint.tsx'
import { windowKindName } from '@/components/windows/window-text.ts'
import { namesStrings } from '@/lib/strings/names.ts'
import { peopleStrings } from '@/lib/strings/people.ts'

interface PersonRowProps {
  readonly person: Person
  /** The id of this window's person. */
  readonly ownId: string
}

export function PersonRow({ person, ownId }: PersonRowProps) {
  const { id, name, colour, self, idle, windows } = person
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3">
      <span
        aria-hidden
        className={`grid size-8 shrink-0 place-items-center rounded-full text-xs font-semibold tracking-wide text-white ${idle ? 'grayscale' : ''}`}
        style={{ background: colour }}
      >
        {initialsOf(name)}
      </span>
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-medium break-words">
          {name}
          {self && <span className="font-normal text-muted"> {peopleStrings.person.you}</span>}
          {idle && <span className="font-normal text-muted"> {peopleStrings.person.idle}</span>}
        </p>
        {isLinkCaller(id) && <p className="text-sm text-muted">{namesStrings.byLink.hint}</p>}
        <ul aria-label={peopleStrings.person.windows(name)} className="text-sm text-muted">
          {kindsByDevice(windows).map(({ device, kinds }) => (
            <li key={device}>{device ? peopleStrings.person.onDevice(kinds, device) : kinds}</li>
          ))}
        </ul>
        {!self && person.follows === ownId && <p className="text-sm">{peopleStrings.person.followsYou}</p>}
      </div>
      {!self && <PersonActions person={person} />}
    </li>
  )
}

function PersonActions({ person: { id, name, hasCaret } }: { person: Person }) {
  const { isFollowed, toggleFollow, goToCaret } = usePersonActions(id)
  return (
    <div className="flex gap-1.5">
      <Hint text={hasCaret ? peopleStrings.person.goToHint : peopleStrings.person.nowhere}>
        <Button
          shape="small"
          aria-label={peopleStrings.person.goToName(name)}
          aria-description={hasCaret ? undefined : peopleStrings.person.nowhere}
          aria-disabled={!hasCaret}
          onClick={() => hasCaret && goToCaret()}
        >
          {peopleStrings.person.goTo}
        </Button>
      </Hint>
      <Button
        shape="small"
        look={isFollowed ? 'primary' : 'plain'}
        aria-label={peopleStrings.person.followName(name)}
        aria-pressed={isFollowed}
        onClick={toggleFollow}
      >
        {peopleStrings.person.follow}
      </Button>
    </div>
  )
}

const compareTextFirst = (a: PersonWindow, b: PersonWindow): number =>
  Number(b.kind === 'text') - Number(a.kind === 'text')

/** For example "Text, Outline" on each device; several windows of a kind are counted. */
function kindsByDevice(windows: readonly PersonWindow[]): { device: string; kinds: string }[] {
  const devices = new Map<string, Map<string, number>>()
  for (const { kind, device = '' } of windows.toSorted(compareTextFirst)) {
    const kinds = devices.get(device) ?? new Map<string, number>()
    devices.set(device, kinds)
    const name = kind ? windowKindName(kind) : peopleStrings.person.window
    kinds.set(name, (kinds.get(name) ?? 0) + 1)
  }
  return [...devices].map(([device, kinds]) => ({
    device,
    kinds: [...kinds]
      .map(([name, count]) => (count > 1 ? peopleStrings.person.several(name, count) : name))
      .join(', '),
  }))
}
