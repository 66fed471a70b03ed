"""Attacks through sockets: to this machine, to other programs, to what hosts it."""

import os
import socket

import kernel
from playing import first, play_one_of


def sends_over_tcp(tcp, token):
    with socket.create_connection(("127.0.0.1", tcp), timeout=2) as connection:
        connection.sendall(token.encode())


def sends_over_udp(udp, token):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(token.encode(), ("127.0.0.1", udp))


def sends_to_a_unix_socket(unix, token):
    with socket.socket(socket.AF_UNIX) as sender:
        sender.connect(unix)
        sender.sendall(token.encode())


def sends_to_an_abstract_socket(abstract, token):
    with socket.socket(socket.AF_UNIX) as sender:
        sender.connect("\0" + abstract)
        sender.sendall(token.encode())


def sends_from_a_pair_of_sockets(abstract_datagrams, token):
    """A pair of datagram sockets can send to any address, though nobody called connect."""
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(token.encode(), "\0" + abstract_datagrams)


def opens_a_raw_socket():
    kinds = [(socket.AF_INET, socket.SOCK_RAW, 1), (socket.AF_PACKET, socket.SOCK_RAW, 0x300)]
    return first([lambda kind=kind: _opens(*kind) for kind in kinds])


def opens_a_socket_of_any_family():
    """Among 50 families is one to the machine that hosts this one (vsock), and many with bugs."""
    kinds = [
        (family, kind, 0)
        for family in range(1, 50)
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET)
    ]
    return first([lambda kind=kind: _opens(*kind) for kind in kinds])


def _opens(*kind):
    socket.socket(*kind).close()
    return kind


def opens_an_io_uring():
    """It opens sockets and files past a filter of system calls."""
    settings = bytes(120)
    os.close(kernel.call("io_uring_setup", 4, settings))
    return "opened"


if __name__ == "__main__":
    play_one_of(globals())
