// Vendors of common devices by MAC prefix (first three bytes). nmap has the full list.
const table = `
Apple 000393 000a95 001451 0017f2 001ec2 0026bb 28cfe9 3c0754 a45e60 f01898
ASUSTek 00e018 001731 049226 107b44 2c4d54
Aruba 000b86 186472 24dec6 94b40f
Brother 008077 30055c
Canon 000085 001e8f 2c9efc
Cisco 00000c 000142 0004c0 000e38 001a2f 00240c 0cd996 5897bd
D-Link 00055d 001b11 1c7ee5
Dell 000874 00146c 001422 b083fe d4bed9 f8b156
Epson 0026ab 44d244
Espressif 240ac4 30aea4 a4cf12
Fortinet 00090f 085b0e 906cac
Google 001a11 3c5ab4 f4f5d8
Hewlett_Packard 0001e6 000bcd 001083 001438 3cd92b 9457a5 b499ba
Intel 0002b3 001b21 001517 3c970e a0369f
Juniper 000585 0010db 2c6bf5
Lenovo 00061b 6c5f1c
Lexmark 000400 002000
Microsoft 00155d 0003ff 281878
MikroTik 000c42 4c5e0c 6c3b6b
Netgear 00095b 00146f 204e7f
QEMU 525400
QNAP 00089b 245ebe
Raspberry_Pi b827eb dca632 e45f01
Ruckus 001392 c4108a
Samsung 0000f0 002399 5cf6dc
Sophos 001a8c 7c5a1c
Supermicro 002590 003048 ac1f6b
Synology 001132
TP-Link 000aeb 14cc20 50c7bf
Ubiquiti 00156d 0418d6 24a43c 788a20 fcecda
VMware 000569 000c29 005056
VirtualBox 080027
Xen 00163e
Xerox 0000aa 9c934e
ZyXEL 001349 5cf4ab`;

const byPrefix: ReadonlyMap<string, string> = new Map(
  table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [name = '', ...prefixes] = line.split(' ');
      return prefixes.map((each): [string, string] => [each, name.replaceAll('_', ' ')]);
    }),
);

/** Returns the vendor for a MAC address such as `aa:bb:cc:dd:ee:ff`; undefined if not in the table. */
export const vendorOf = (mac: string): string | undefined => byPrefix.get(mac.replaceAll(':', '').slice(0, 6));
