import { pictureStrings } from '@/lib/strings/picture.ts'
import type { PictureState } from './shown-picture.ts'

/** Why there is no picture to see; null while there is, or may soon be. */
export function pictureSentence(picture: PictureState, name: string): string | null {
  switch (picture.state) {
    case 'loading':
    case 'shown':
      return null
    case 'arriving':
      return pictureStrings.arriving(name, picture.by, picture.percent)
    case 'missing':
    case 'unknown':
    case 'unreadable':
      return pictureStrings[picture.state](name)
  }
}
