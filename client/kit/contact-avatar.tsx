import { Users } from 'lucide-react'
import { storePath } from '../replica/rows.ts'
import { useMedia } from '../kit/media.ts'
import { Avatar } from '../ui/avatar.tsx'

/** A contact's picture from the private store, or the initials. */
export function ContactAvatar({
  name,
  picture,
  isGroup = false,
  size,
}: {
  name: string
  /** Its path in the store, as the replica has it, or its address, as the server answers. */
  picture: string | null
  isGroup?: boolean
  size?: 'xs' | 'sm' | 'md' | 'lg'
}) {
  const path = storePath(picture) ?? picture
  const { url } = useMedia(path ? { path } : null)
  return (
    <Avatar
      name={name}
      src={url}
      size={size}
      badge={
        isGroup ? (
          <span className="flex size-4 items-center justify-center rounded-full bg-secondary text-secondary-foreground">
            <Users className="size-2.5" />
          </span>
        ) : undefined
      }
    />
  )
}
