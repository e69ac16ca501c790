"""A connection to an MQTT broker that comes back by itself and never holds much for a slow one."""

import contextlib
import logging
import socket
import ssl
import threading
from collections.abc import Callable
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from web.programs.mqtt.broker_address import BrokerAddress

logger = logging.getLogger(__name__)

FIRST_PAUSE_S, LONGEST_PAUSE_S = 1, 120  # between two tries to reach the broker; each is twice as long
KEEPALIVE_S = 60
MOST_QUEUED = 500  # messages that the broker has not confirmed
ENDS_WITHIN_S = 3.0


class BusyError(Exception):
    """The broker confirms too slowly; tell it later."""


class BrokerConnection:
    """`will`: the topic and the kept payload that the broker tells when the connection is lost. `on_connected` and
    `on_message` are called in the client's own thread, and must be quick."""

    def __init__(
        self,
        broker: BrokerAddress,
        name: str,
        will: tuple[str, str],
        on_connected: Callable[[], None],
        on_message: Callable[[mqtt.MQTTMessage], None],
    ) -> None:
        self._will, self._on_connected = will, on_connected
        self._trouble = ""  # that was logged last
        self._is_gone = threading.Event()
        self.client = client = mqtt.Client(CallbackAPIVersion.VERSION2, name)
        if broker.user is not None:
            client.username_pw_set(broker.user, broker.password)
        if broker.secure:
            client.tls_set_context(ssl.create_default_context())
        client.reconnect_delay_set(FIRST_PAUSE_S, LONGEST_PAUSE_S)
        client.max_queued_messages_set(MOST_QUEUED)
        client.will_set(*will, qos=1, retain=True)
        client.on_connect, client.on_connect_fail = self._note_answer, self._note_failure
        client.on_disconnect = lambda *_: self._is_gone.set()
        client.on_message = lambda client, userdata, message: on_message(message)
        client.connect_async(broker.host, broker.port, KEEPALIVE_S)

    def start(self) -> None:
        self.client.loop_start()

    @property
    def is_there(self) -> bool:
        return bool(self.client.is_connected())

    def subscribe(self, topic: str) -> None:
        self.client.subscribe(topic, qos=1)

    def publish(self, topic: str, payload: bytes | str, retain: bool = True) -> None:
        """Hands a message over. Raises BusyError if too many wait."""
        if self.client.publish(topic, payload, qos=1, retain=retain).rc == mqtt.MQTT_ERR_QUEUE_SIZE:
            raise BusyError

    def close(self) -> None:
        """Ends the connection; the broker tells the will."""
        was_there = self.is_there
        if was_there and not self._is_will_taken():
            with contextlib.suppress(OSError, AttributeError):  # then the broker finds the connection lost
                self.client.socket().shutdown(socket.SHUT_RDWR)
        self.client.disconnect()
        if was_there:
            self._is_gone.wait(ENDS_WITHIN_S)

    def _is_will_taken(self) -> bool:
        last = self.client.publish(*self._will, qos=1, retain=True)
        with contextlib.suppress(ValueError, RuntimeError):
            last.wait_for_publish(ENDS_WITHIN_S)
            return bool(last.is_published())
        return False

    def _note_answer(self, client: Any, userdata: object, flags: object, reason: Any, properties: object) -> None:
        if reason.is_failure:
            self._note_trouble(f"the MQTT broker refuses: {reason}")
            return
        self._note_trouble("")
        self._is_gone.clear()
        self._on_connected()

    def _note_failure(self, client: Any, userdata: object) -> None:
        self._note_trouble("the MQTT broker cannot be reached; it is tried again and again")

    def _note_trouble(self, sentence: str) -> None:
        if sentence and sentence != self._trouble:
            logger.warning("%s", sentence)
        self._trouble = sentence
