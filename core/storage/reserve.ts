// Room that uploads leave on the disk: the database may be on it, and tickets are written when no file can be stored any more.
import { mkdir, statfs } from 'node:fs/promises';

export interface Space {
  readonly free: number;
  readonly whole: number;
}

const GIB = 1024 ** 3;

/** The space of the disk that a folder is on; the folder is made when it is not there. */
export async function spaceOf(folder: string): Promise<Space> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, whole: blocks * bsize };
}

/** Whether `bytes` more leave the reserve free: a twentieth of the disk, a gibibyte at most. */
export const leavesReserve = ({ free, whole }: Space, bytes: number): boolean =>
  free - bytes >= Math.min(whole / 20, GIB);
